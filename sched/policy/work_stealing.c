/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Work stealing (work_stealing.h). The tasks of a worker are in one queue for
 * each group of workers that can run them (groups.h), and each queue is two
 * heaps: oldest first for the owner, newest first for thieves. A task is in
 * both, and taking it from one removes it from the other.
 */
#include "sched/policy/work_stealing.h"

#include <stddef.h>

#include "sched/host.h"

enum end { OLDEST, NEWEST };

void orr_ws_init(struct orr_sched *sched)
{
    struct orr_ws *ws = orr_sched_state(sched);

    orr_groups_init(&ws->groups, orr_sched_workers(sched));
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct orr_ws_lane *lane = orr_sched_lane(sched, w);

        /* In StarPU, workers search once before any task is pushed. */
        lane->next = 1 % orr_sched_workers(sched);
        lane->stolen_at = -1;
    }
}

void orr_ws_prefer_near(struct orr_sched *sched)
{
    unsigned workers = orr_sched_workers(sched);

    for (unsigned w = 0; w < workers; w++) {
        struct orr_ws_lane *lane = orr_sched_lane(sched, w);
        unsigned near = 0, far = workers;

        g_free(lane->order);
        lane->order = g_new(unsigned, workers);
        for (unsigned v = workers; v-- > 0;) {
            if (orr_sched_socket(sched, v) != orr_sched_socket(sched, w))
                lane->order[--far] = v;
        }
        if (far == workers) {
            g_free(lane->order);
            lane->order = NULL;
            return; /* all on one socket: no worker has preferences */
        }
        for (unsigned v = 0; v < workers; v++) {
            if (orr_sched_socket(sched, v) == orr_sched_socket(sched, w))
                lane->order[near++] = v;
        }
    }
}

static void clear_lane(struct orr_ws_lane *lane)
{
    for (unsigned s = 0; s < lane->queue_count; s++) {
        orr_heap_clear(&lane->queues[s].oldest);
        orr_heap_clear(&lane->queues[s].newest);
    }
    g_free(lane->queues);
    g_free(lane->order);
}

void orr_ws_fini(struct orr_sched *sched)
{
    struct orr_ws *ws = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        clear_lane(orr_sched_lane(sched, w));
    orr_groups_clear(&ws->groups);
}

static struct orr_ws_queue *queue_of(struct orr_ws_lane *lane, unsigned group)
{
    if (group >= lane->queue_count) {
        lane->queues = g_renew(struct orr_ws_queue, lane->queues, group + 1);
        for (; lane->queue_count <= group; lane->queue_count++)
            lane->queues[lane->queue_count] = (struct orr_ws_queue){
                .oldest = {.count = 0}, .newest = {.count = 0}};
    }
    return &lane->queues[group];
}

/* The worker whose queue a task of @group joins: the caller, or else the next
 * in turn that can run it. */
static unsigned receiver(struct orr_sched *sched, unsigned group)
{
    struct orr_ws *ws = orr_sched_state(sched);
    unsigned caller = orr_sched_caller(sched);

    if (caller != ORR_NO_WORKER &&
        orr_groups_include(&ws->groups, group, caller))
        return caller;
    do
        ws->last_dealt = (ws->last_dealt + 1) % orr_sched_workers(sched);
    while (!orr_groups_include(&ws->groups, group, ws->last_dealt));
    return ws->last_dealt;
}

static void put(struct orr_sched *sched, struct orr_task *task, unsigned group,
                unsigned to)
{
    struct orr_ws *ws = orr_sched_state(sched);
    struct orr_ws_lane *lane = orr_sched_lane(sched, to);
    struct orr_ws_queue *queue = queue_of(lane, group);
    int64_t key = -(int64_t)task->priority;

    orr_heap_push(&queue->oldest, &task->item, key, ws->arrivals);
    orr_heap_push(&queue->newest, &task->other, key, ~ws->arrivals);
    ws->arrivals++;
    lane->tasks++;
}

void orr_ws_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_ws *ws = orr_sched_state(sched);
    unsigned group = orr_groups_find(&ws->groups, sched, task);

    put(sched, task, group, receiver(sched, group));
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

/* The queue of @lane whose head at @end precedes the other heads, among the
 * queues of tasks that @worker can run. */
static struct orr_ws_queue *first_queue(struct orr_sched *sched,
                                        struct orr_ws_lane *lane,
                                        unsigned worker, enum end end)
{
    const struct orr_ws *ws = orr_sched_state(sched);
    const struct orr_heap_entry *first = NULL;
    struct orr_ws_queue *best = NULL;

    for (unsigned s = 0; s < lane->queue_count; s++) {
        struct orr_ws_queue *queue = &lane->queues[s];
        struct orr_heap *heap = end == OLDEST ? &queue->oldest : &queue->newest;

        if (heap->count == 0 || !orr_groups_include(&ws->groups, s, worker) ||
            (first && !orr_heap_precedes(orr_heap_first(heap), first)))
            continue;
        first = orr_heap_first(heap);
        best = queue;
    }
    return best;
}

/* Removes and returns a task of @lane that @worker can run, or NULL. */
static struct orr_task *take(struct orr_sched *sched, struct orr_ws_lane *lane,
                             unsigned worker, enum end end)
{
    struct orr_ws_queue *queue = first_queue(sched, lane, worker, end);
    struct orr_task *task;

    if (!queue)
        return NULL;
    if (end == OLDEST) {
        task = (struct orr_task *)((char *)orr_heap_pop(&queue->oldest) -
                                   offsetof(struct orr_task, item));
        orr_heap_remove(&queue->newest, &task->other);
    } else {
        task = (struct orr_task *)((char *)orr_heap_pop(&queue->newest) -
                                   offsetof(struct orr_task, other));
        orr_heap_remove(&queue->oldest, &task->item);
    }
    lane->tasks--;
    return task;
}

/* Whether a thief stole from the worker of @lane at this date. */
static bool has_thief(struct orr_sched *sched, const struct orr_ws_lane *lane)
{
    return lane->stolen_at == orr_sched_now(sched);
}

static bool is_victim(struct orr_sched *sched, unsigned victim)
{
    const struct orr_ws_lane *lane = orr_sched_lane(sched, victim);

    return lane->busy && (lane->tasks > 0 || has_thief(sched, lane));
}

/* Chooses the victim of @thief in lws, or ORR_NO_WORKER. */
static unsigned choose_near(struct orr_sched *sched, unsigned thief)
{
    const struct orr_ws_lane *lane = orr_sched_lane(sched, thief);

    for (unsigned i = 0; i < orr_sched_workers(sched); i++) {
        if (is_victim(sched, lane->order[i]))
            return lane->order[i];
    }
    return ORR_NO_WORKER;
}

/* Chooses the victim of @thief in ws, or ORR_NO_WORKER. As in StarPU, the next
 * search starts after the victim or, without one, after the start of this one.
 */
static unsigned choose_next(struct orr_sched *sched, unsigned thief)
{
    struct orr_ws_lane *lane = orr_sched_lane(sched, thief);
    unsigned workers = orr_sched_workers(sched);
    unsigned victim = lane->next;
    bool found;

    do {
        found = is_victim(sched, victim);
        if (!found)
            victim = (victim + 1) % workers;
    } while (!found && victim != lane->next);
    lane->next = (victim + 1) % workers;
    return found ? victim : ORR_NO_WORKER;
}

static unsigned choose(struct orr_sched *sched, unsigned thief)
{
    const struct orr_ws_lane *lane = orr_sched_lane(sched, thief);

    return lane->order ? choose_near(sched, thief) : choose_next(sched, thief);
}

static struct orr_task *steal(struct orr_sched *sched, unsigned thief)
{
    unsigned victim = choose(sched, thief);
    struct orr_ws_lane *lane;

    if (victim == ORR_NO_WORKER)
        return NULL;
    lane = orr_sched_lane(sched, victim);
    if (has_thief(sched, lane)) {
        lane->stolen_at = -1;
        orr_sched_collide(sched, thief);
        return NULL;
    }
    lane->stolen_at = orr_sched_now(sched);
    return take(sched, lane, thief, NEWEST);
}

struct orr_task *orr_ws_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_ws_lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task;

    lane->busy = false;
    task = take(sched, lane, worker, OLDEST);
    if (!task)
        task = steal(sched, worker);
    lane->busy = task != NULL;
    return task;
}

static unsigned receiver_of(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_ws *ws = orr_sched_state(sched);

    return receiver(sched, orr_groups_find(&ws->groups, sched, task));
}

static void push_to(struct orr_sched *sched, struct orr_task *task, unsigned to)
{
    struct orr_ws *ws = orr_sched_state(sched);

    put(sched, task, orr_groups_find(&ws->groups, sched, task), to);
}

static struct orr_task *take_own(struct orr_sched *sched, unsigned worker)
{
    struct orr_ws_lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task;

    lane->busy = false;
    task = take(sched, lane, worker, OLDEST);
    lane->busy = task != NULL;
    return task;
}

static struct orr_task *steal_from(struct orr_sched *sched, unsigned thief,
                                   unsigned victim)
{
    return take(sched, orr_sched_lane(sched, victim), thief, NEWEST);
}

static void conclude(struct orr_sched *sched, unsigned thief, bool busy)
{
    ((struct orr_ws_lane *)orr_sched_lane(sched, thief))->busy = busy;
}

const struct orr_sched_steal orr_ws_steal = {
    .receiver = receiver_of,
    .push = push_to,
    .own = take_own,
    .victim = choose,
    .take = steal_from,
    .conclude = conclude,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * modular-heft and modular-heft2 (modular_family.h).
 *
 * bind_waiting() is the heart: it takes up to `candidates` waiting tasks of
 * the highest priority, predicts their ends on all workers, and binds the one
 * that ends first to its best worker; and repeats this until that worker's
 * queue is full or no task waits. push and pop call it, pop before, if the
 * worker's own queue is empty, and after it has removed a task.
 */
#include "sched/policy/modular_family.h"

#include <math.h>

/* The longest queue of a worker; and if it is the only one (StarPU,
 * modular_ez.c). */
enum { LIMIT = 30, LIMIT_OF_ONE = 2 };

void orr_modular_init(struct orr_sched *sched,
                      const struct orr_modular_traits *traits)
{
    struct orr_modular *modular = orr_sched_state(sched);

    g_assert(traits->candidates <= ORR_LATE_CANDIDATES);
    modular->workers = orr_sched_workers(sched);
    modular->candidates = modular->workers > 1 ? traits->candidates : 1;
    modular->limit = modular->workers > 1 ? LIMIT : LIMIT_OF_ONE;
    orr_weights_init(&modular->weights, sched);
    modular->lanes = g_new(struct orr_modular_lane *, modular->workers);
    modular->prospects = g_new0(struct orr_prospect, modular->workers);
    modular->durations = g_new(orr_time, modular->workers);
    modular->joules = g_new(double, modular->workers);
    for (unsigned w = 0; w < modular->workers; w++) {
        modular->lanes[w] = orr_sched_lane(sched, w);
        modular->lanes[w]->queue.sorted = true;
        modular->lanes[w]->queue.node = orr_sched_node(sched, w);
        modular->nodes |= 1u << modular->lanes[w]->queue.node;
    }
    modular->one_memory = (modular->nodes & (modular->nodes - 1)) == 0;
}

void orr_modular_fini(struct orr_sched *sched)
{
    struct orr_modular *modular = orr_sched_state(sched);

    for (unsigned w = 0; w < modular->workers; w++)
        orr_ready_clear(&modular->lanes[w]->queue);
    orr_priority_fifo_clear(&modular->waiting);
    orr_priority_fifo_clear(&modular->ready);
    g_free(modular->lanes);
    g_free(modular->prospects);
    g_free(modular->durations);
    g_free(modular->joules);
}

/* The predicted end of all popped work of @lane. */
static orr_time plan_end(const struct orr_modular_lane *lane, orr_time now)
{
    return MAX(lane->start, now) + lane->popped;
}

/* The place in @durations of the first of the @each implementations on @worker
 * that takes the least time. */
static size_t fastest(const orr_time *durations, unsigned worker, unsigned each)
{
    size_t best = (size_t)worker * each;

    for (size_t i = best + 1; i < (size_t)(worker + 1) * each; i++) {
        if (durations[i] < durations[best])
            best = i;
    }
    return best;
}

/* The duration of @task on each worker, by its fastest implementation there. */
static const orr_time *least_durations(struct orr_sched *sched,
                                       const struct orr_task *task)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    const orr_time *durations;
    unsigned each;

    if (G_LIKELY(!sched->host->implementations))
        return orr_sched_durations(sched, task);
    each = orr_sched_choices(sched, task, &durations);
    for (unsigned w = 0; w < modular->workers; w++)
        modular->durations[w] = durations[fastest(durations, w, each)];
    return modular->durations;
}

/* The joules of @task by worker: the least of all implementations, even if
 * another one is chosen, as in StarPU (helper_mct.c). NULL: not known. */
static const double *least_joules(struct orr_sched *sched,
                                  const struct orr_task *task)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    const double *joules = orr_sched_joules(sched, task);
    const orr_time *durations;
    unsigned each;

    if (!joules || !sched->host->implementations)
        return joules;
    each = orr_sched_choices(sched, task, &durations);
    for (unsigned w = 0; w < modular->workers; w++) {
        modular->joules[w] = INFINITY;
        for (unsigned i = w * each; i < (w + 1) * each; i++) {
            if (durations[i] != ORR_NEVER)
                modular->joules[w] = MIN(modular->joules[w], joules[i]);
        }
    }
    return modular->joules;
}

/* Chooses the fastest implementation of @task on its worker. */
static void choose_implementation(struct orr_sched *sched,
                                  struct orr_task *task)
{
    const orr_time *durations;
    unsigned each = orr_sched_choices(sched, task, &durations);

    if (each > 1)
        orr_sched_choose_implementation(
            sched, task,
            (unsigned)(fastest(durations, task->worker, each) % each));
}

/* The least end of all prospects. */
static orr_time least_end(const struct orr_modular *modular)
{
    orr_time least = ORR_NEVER;

    for (unsigned w = 0; w < modular->workers; w++)
        least = MIN(least, modular->prospects[w].end);
    return least;
}

/* Chooses the best worker for @task. @transfers: durations of its copies,
 * @by_node or by worker. Returns the least predicted end on any worker. */
static inline orr_time predict(struct orr_sched *sched, struct orr_task *task,
                               const orr_time *transfers, bool by_node)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    const orr_time *durations = least_durations(sched, task);
    orr_time now = orr_sched_now(sched);

    for (unsigned w = 0; w < modular->workers; w++) {
        const struct orr_modular_lane *lane = modular->lanes[w];
        struct orr_prospect *prospect = &modular->prospects[w];

        prospect->begin = plan_end(lane, now) + lane->length;
        prospect->transfer = transfers[by_node ? lane->queue.node : w];
        prospect->end = durations[w];
        if (durations[w] != ORR_NEVER)
            prospect->end += MAX(prospect->begin, now + prospect->transfer);
    }
    task->worker =
        orr_fitness_best(&modular->weights, modular->prospects,
                         modular->workers, least_joules(sched, task));
    task->length = durations[task->worker];
    task->transfer = modular->prospects[task->worker].transfer;
    return least_end(modular);
}

static void put_back(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_modular *modular = orr_sched_state(sched);

    orr_priority_fifo_push_first(&modular->waiting, task);
}

/* Removes the first waiting tasks, of one priority. Returns their number. */
static unsigned take_candidates(struct orr_sched *sched,
                                struct orr_task **candidates)
{
    struct orr_modular *modular = orr_sched_state(sched);
    const struct orr_task *next = orr_priority_fifo_first(&modular->waiting);
    int priority = next ? next->priority : 0;
    unsigned count = 0;

    while (next && next->priority == priority && count < modular->candidates) {
        candidates[count++] = orr_priority_fifo_pop(&modular->waiting);
        next = orr_priority_fifo_first(&modular->waiting);
    }
    return count;
}

/* The one of @count candidates that can end first. The others wait again. */
static struct orr_task *choose(struct orr_sched *sched,
                               struct orr_task **candidates, unsigned count)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    orr_time transfers[ORR_MAX_NODES];
    orr_time least = ORR_NEVER;
    unsigned best = 0;

    for (unsigned i = 0; i < count; i++) {
        orr_time end;

        orr_sched_transfers(sched, candidates[i], modular->nodes, transfers);
        end = predict(sched, candidates[i], transfers, true);
        if (end >= least)
            continue;
        least = end;
        best = i;
    }
    for (unsigned i = count; i-- > 0;) {
        if (i != best)
            put_back(sched, candidates[i]);
    }
    return candidates[best];
}

/* Puts @task into the queue of its worker, unless the queue is full. The
 * transfer counts only as far as it does not overlap with earlier planned work.
 */
static bool bind(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    struct orr_modular_lane *lane = modular->lanes[task->worker];
    orr_time now = orr_sched_now(sched);
    orr_time begin = plan_end(lane, now) + lane->length;

    if (lane->queued >= modular->limit)
        return false;
    choose_implementation(sched, task);
    task->transfer = MAX(now + task->transfer - begin, 0);
    lane->length += task->length + task->transfer;
    lane->queued++;
    orr_ready_push(&lane->queue, task);
    return true;
}

/* Binds waiting tasks until the queue of a worker is full. */
static void bind_waiting(struct orr_sched *sched)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    struct orr_task *candidates[ORR_LATE_CANDIDATES];
    unsigned count;

    while ((count = take_candidates(sched, candidates)) > 0) {
        struct orr_task *best = choose(sched, candidates, count);

        if (!bind(sched, best)) {
            put_back(sched, best);
            return;
        }
        if (!modular->one_memory)
            orr_sched_prefetch(sched, best, best->worker);
        orr_sched_wake(sched, best->worker);
    }
}

static void add(struct orr_sched *sched, struct orr_priority_fifo *queue,
                struct orr_task *task)
{
    struct orr_modular *modular = orr_sched_state(sched);

    task->arrival = modular->arrivals++;
    orr_priority_fifo_push(queue, task);
}

static void add_waiting(struct orr_sched *sched, struct orr_task *task)
{
    add(sched, &((struct orr_modular *)orr_sched_state(sched))->waiting, task);
}

void orr_modular_push(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_modular *modular = orr_sched_state(sched);

    add_waiting(sched, task);
    if (modular->one_memory)
        orr_sched_prefetch(sched, task, 0);
    bind_waiting(sched);
}

static bool has_own(struct orr_sched *sched, unsigned worker)
{
    const struct orr_modular_lane *lane = orr_sched_lane(sched, worker);

    return lane->queued > 0;
}

/* Drops the plan of the tasks that @worker has popped. */
static void drop_plan(struct orr_sched *sched, unsigned worker)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);

    lane->start = orr_sched_now(sched);
    lane->popped = lane->pipeline = 0;
}

/* Removes the next task from the queue of @worker, which is not empty. */
static struct orr_task *take_own(struct orr_sched *sched, unsigned worker)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task = orr_ready_pop(&lane->queue, sched);

    lane->length = MAX(lane->length - task->length, 0);
    lane->length = MAX(lane->length - task->transfer, 0);
    if (--lane->queued == 0)
        lane->length = 0;
    return task;
}

/* Plans @task, which @worker has popped. @transfer is the predicted duration of
 * its copies. */
static void plan(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker, orr_time transfer)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);
    orr_time now = orr_sched_now(sched);

    task->transfer = MAX(now + transfer - plan_end(lane, now), 0);
    lane->popped += task->length;
    lane->pipeline += task->transfer;
    lane->start = now + lane->pipeline;
}

struct orr_task *orr_modular_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_task *task = NULL;

    drop_plan(sched, worker);
    if (!has_own(sched, worker))
        bind_waiting(sched);
    if (has_own(sched, worker))
        task = take_own(sched, worker);
    bind_waiting(sched);
    if (task)
        plan(sched, task, worker,
             orr_sched_transfer(sched, task, orr_sched_node(sched, worker)));
    return task;
}

static orr_time choose_worker(struct orr_sched *sched, struct orr_task *task,
                              const orr_time *transfers)
{
    return predict(sched, task, transfers, false);
}

static bool compares(struct orr_sched *sched)
{
    const struct orr_modular *modular = orr_sched_state(sched);

    return modular->candidates > 1;
}

static bool prefetches_at_push(struct orr_sched *sched)
{
    const struct orr_modular *modular = orr_sched_state(sched);

    return modular->one_memory;
}

static struct orr_priority_fifo *first_queue(struct orr_sched *sched)
{
    struct orr_modular *modular = orr_sched_state(sched);

    return compares(sched) ? &modular->ready : &modular->waiting;
}

static bool has_ready(struct orr_sched *sched)
{
    return orr_priority_fifo_first(first_queue(sched)) != NULL;
}

static void add_ready(struct orr_sched *sched, struct orr_task *task)
{
    add(sched, first_queue(sched), task);
}

static struct orr_task *take_ready(struct orr_sched *sched)
{
    return orr_priority_fifo_pop(first_queue(sched));
}

const struct orr_sched_late orr_modular_late = {
    .has_ready = has_ready,
    .add_ready = add_ready,
    .take_ready = take_ready,
    .compares = compares,
    .prefetches_at_push = prefetches_at_push,
    .add_waiting = add_waiting,
    .take_waiting = take_candidates,
    .put_back = put_back,
    .choose = choose_worker,
    .bind = bind,
    .has_own = has_own,
    .drop_plan = drop_plan,
    .take_own = take_own,
    .plan = plan,
};

void orr_modular_started(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);

    lane->pipeline += task->length - task->transfer;
    lane->popped -= task->length;
    lane->start = orr_sched_now(sched) + lane->pipeline;
}

void orr_modular_done(struct orr_sched *sched, struct orr_task *task,
                      unsigned worker)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);

    lane->pipeline -= task->length;
    lane->start = MAX(orr_sched_now(sched) + lane->pipeline, lane->start);
}

void orr_modular_touched(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    orr_ready_touch(task);
}

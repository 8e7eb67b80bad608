/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/policy/modular_family.h"

#include <math.h>

/* The longest queue of a worker, and that of the only one (StarPU,
 * modular_ez.c). */
enum { LIMIT = 30, LIMIT_OF_ONE = 2 };

/* A waiting task, and the worker that suits it best. */
struct candidate {
    struct orr_task *task;
    unsigned worker;
    struct orr_prospect prospect;
};

void orr_modular_init(struct orr_sched *sched,
                      const struct orr_modular_traits *traits)
{
    struct orr_modular *modular = orr_sched_state(sched);

    g_assert(traits->candidates <= ORR_MODULAR_CANDIDATES);
    modular->traits = traits;
    modular->workers = orr_sched_workers(sched);
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
}

void orr_modular_fini(struct orr_sched *sched)
{
    struct orr_modular *modular = orr_sched_state(sched);

    for (unsigned w = 0; w < modular->workers; w++)
        orr_ready_clear(&modular->lanes[w]->queue);
    orr_priority_fifo_clear(&modular->waiting);
    g_free(modular->lanes);
    g_free(modular->prospects);
    g_free(modular->durations);
    g_free(modular->joules);
}

/* When all work that @lane has popped will have ended. */
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

/* How long @task takes on each worker, by its fastest implementation there. */
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

/* The joules of @task by worker: with several implementations the least of all,
 * whichever is taken, as in StarPU (helper_mct.c). NULL: not known. */
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

static void look_ahead(struct orr_sched *sched, struct candidate *candidate)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    const struct orr_task *task = candidate->task;
    const orr_time *durations = least_durations(sched, task);
    orr_time now = orr_sched_now(sched);
    orr_time transfers[ORR_MAX_NODES]; /* by node */

    orr_sched_transfers(sched, task, modular->nodes, transfers);
    for (unsigned w = 0; w < modular->workers; w++) {
        const struct orr_modular_lane *lane = modular->lanes[w];
        struct orr_prospect *prospect = &modular->prospects[w];

        prospect->begin = plan_end(lane, now) + lane->length;
        prospect->transfer = transfers[lane->queue.node];
        prospect->end = durations[w];
        if (durations[w] != ORR_NEVER)
            prospect->end += MAX(prospect->begin, now + prospect->transfer);
    }
    candidate->worker =
        orr_fitness_best(&modular->weights, modular->prospects,
                         modular->workers, least_joules(sched, task));
    candidate->prospect = modular->prospects[candidate->worker];
}

/* When @candidate would end where it ends first. */
static orr_time least_end(const struct orr_modular *modular)
{
    orr_time least = ORR_NEVER;

    for (unsigned w = 0; w < modular->workers; w++)
        least = MIN(least, modular->prospects[w].end);
    return least;
}

/* Takes the first waiting tasks, of one priority. Returns how many. */
static unsigned take_candidates(struct orr_modular *modular,
                                struct candidate *candidates)
{
    const struct orr_task *next = orr_priority_fifo_first(&modular->waiting);
    int priority = next ? next->priority : 0;
    unsigned count = 0;

    while (next && next->priority == priority &&
           count < modular->traits->candidates) {
        candidates[count++].task = orr_priority_fifo_pop(&modular->waiting);
        next = orr_priority_fifo_first(&modular->waiting);
    }
    return count;
}

/* The one of @count candidates that can end first. The others wait again. */
static struct candidate *choose(struct orr_sched *sched,
                                struct candidate *candidates, unsigned count)
{
    struct orr_modular *modular = orr_sched_state(sched);
    orr_time least = ORR_NEVER;
    unsigned best = 0;

    for (unsigned i = 0; i < count; i++) {
        orr_time end;

        look_ahead(sched, &candidates[i]);
        end = least_end(modular);
        if (end >= least)
            continue;
        least = end;
        best = i;
    }
    for (unsigned i = count; i-- > 0;) {
        if (i != best)
            orr_priority_fifo_push_first(&modular->waiting, candidates[i].task);
    }
    return &candidates[best];
}

/* Puts a candidate into the queue of its worker. Only that part of the transfer
 * counts that does not overlap with work planned before. */
static void assign(struct orr_sched *sched, const struct candidate *candidate)
{
    const struct orr_modular *modular = orr_sched_state(sched);
    struct orr_modular_lane *lane = modular->lanes[candidate->worker];
    struct orr_task *task = candidate->task;
    orr_time begin = candidate->prospect.begin;
    orr_time loaded = orr_sched_now(sched) + candidate->prospect.transfer;

    task->worker = candidate->worker;
    choose_implementation(sched, task);
    task->length = candidate->prospect.end - MAX(begin, loaded);
    task->transfer = MAX(loaded - begin, 0);
    lane->length += task->length + task->transfer;
    lane->queued++;
    orr_ready_push(&lane->queue, task);
    orr_sched_prefetch(sched, task, task->worker);
    orr_sched_wake(sched, task->worker);
}

/* Assigns waiting tasks until the queue of a worker is full. */
static void assign_waiting(struct orr_sched *sched)
{
    struct orr_modular *modular = orr_sched_state(sched);
    struct candidate candidates[ORR_MODULAR_CANDIDATES];
    unsigned count;

    while ((count = take_candidates(modular, candidates)) > 0) {
        struct candidate *best = choose(sched, candidates, count);

        if (modular->lanes[best->worker]->queued >= modular->limit) {
            orr_priority_fifo_push_first(&modular->waiting, best->task);
            return;
        }
        assign(sched, best);
    }
}

void orr_modular_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_modular *modular = orr_sched_state(sched);

    task->arrival = modular->arrivals++;
    orr_priority_fifo_push(&modular->waiting, task);
    assign_waiting(sched);
}

/* Takes the next task out of the queue of @lane, which is not empty. */
static struct orr_task *take(struct orr_sched *sched,
                             struct orr_modular_lane *lane)
{
    struct orr_task *task = orr_ready_pop(&lane->queue, sched);

    lane->length = MAX(lane->length - task->length, 0);
    lane->length = MAX(lane->length - task->transfer, 0);
    if (--lane->queued == 0)
        lane->length = 0;
    return task;
}

/* Notes that @lane has popped @task, whose data may still have to come. */
static void begin_transfer(struct orr_sched *sched,
                           struct orr_modular_lane *lane, struct orr_task *task)
{
    orr_time now = orr_sched_now(sched);

    task->transfer = orr_sched_transfer(sched, task, lane->queue.node);
    task->transfer = MAX(now + task->transfer - plan_end(lane, now), 0);
    lane->popped += task->length;
    lane->pipeline += task->transfer;
    lane->start = now + lane->pipeline;
}

struct orr_task *orr_modular_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_modular_lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task = NULL;

    lane->start = orr_sched_now(sched);
    lane->popped = lane->pipeline = 0; /* as in StarPU */
    if (lane->queued == 0)
        assign_waiting(sched);
    if (lane->queued > 0)
        task = take(sched, lane);
    assign_waiting(sched);
    if (task)
        begin_transfer(sched, lane, task);
    return task;
}

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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The dm family (dm_family.h). The planned work of a worker is start and
 * length of its queue, and the pipeline of popped tasks that have not ended.
 * place predicts and chooses; push adds the task to the plan and to the queue;
 * pop moves its transfer from the length to the pipeline, started replaces
 * that by its duration, and done removes it from the pipeline.
 */
#include "sched/policy/dm_family.h"

#include "sched/policy/queueing.h"

void orr_dm_init(struct orr_sched *sched, const struct orr_dm_traits *traits)
{
    struct orr_dm *dm = orr_sched_state(sched);

    dm->traits = traits;
    orr_weights_init(&dm->weights, sched);
    dm->weights.plain |= !traits->data_aware;
    dm->workers = orr_sched_workers(sched);
    dm->lanes = g_new(struct orr_dm_lane *, dm->workers);
    dm->prospects = g_new(struct orr_prospect,
                          (size_t)dm->workers * ORR_MAX_IMPLEMENTATIONS);
    for (unsigned w = 0; w < dm->workers; w++) {
        dm->lanes[w] = orr_sched_lane(sched, w);
        dm->lanes[w]->ready.sorted = traits->sorted;
        dm->lanes[w]->ready.node = orr_sched_node(sched, w);
        dm->nodes |= 1u << dm->lanes[w]->ready.node;
    }
}

void orr_dm_fini(struct orr_sched *sched)
{
    struct orr_dm *dm = orr_sched_state(sched);

    for (unsigned w = 0; w < dm->workers; w++) {
        orr_priority_fifo_clear(&dm->lanes[w]->sorted);
        orr_ready_clear(&dm->lanes[w]->ready);
        orr_priority_sums_clear(&dm->lanes[w]->sums);
    }
    g_free(dm->lanes);
    g_free(dm->prospects);
}

static struct orr_dm_lane *lane_of(struct orr_sched *sched, unsigned worker)
{
    const struct orr_dm *dm = orr_sched_state(sched);

    return dm->lanes[worker];
}

/* The length of the planned work of @lane that precedes @task. */
static orr_time work_before(const struct orr_dm *dm,
                            const struct orr_dm_lane *lane,
                            const struct orr_task *task)
{
    orr_time urgent;

    if (!dm->traits->overtakes)
        return lane->length;
    urgent = orr_priority_sums_from(&lane->sums, task->priority);
    if (urgent > 0 && urgent == lane->sums.total)
        return lane->length;
    /* The start of the work includes the pipeline already. StarPU counts it
     * twice, unless the task goes to the end of the queue. */
    return lane->pipeline + urgent;
}

/* Whether weights, joules or several implementations matter, so that an end and
 * a transfer for each worker do not suffice. */
static bool is_weighted(const struct orr_sched *sched, const struct orr_dm *dm,
                        const struct orr_task *task)
{
    return !dm->weights.plain || sched->host->implementations ||
           (dm->traits->data_aware && orr_sched_joules(sched, task));
}

/* orr_dm_place() with weights, joules or several implementations. */
static void place_weighted(struct orr_sched *sched, struct orr_task *task,
                           const orr_time *transfers)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    const orr_time *durations;
    const double *joules =
        dm->traits->data_aware ? orr_sched_joules(sched, task) : NULL;
    unsigned each = orr_sched_choices(sched, task, &durations);
    orr_time now = orr_sched_now(sched);
    unsigned best;

    for (unsigned i = 0; i < dm->workers * each; i++) {
        const struct orr_dm_lane *lane = dm->lanes[i / each];
        struct orr_prospect *prospect = &dm->prospects[i];

        prospect->end = ORR_NEVER;
        if (durations[i] == ORR_NEVER)
            continue;
        prospect->begin = MAX(lane->start, now) + work_before(dm, lane, task);
        prospect->transfer =
            dm->traits->data_aware ? transfers[lane->ready.node] : 0;
        prospect->end =
            MAX(prospect->begin, now + prospect->transfer) + durations[i];
    }
    best = orr_fitness_best(&dm->weights, dm->prospects, dm->workers * each,
                            joules);
    task->worker = best / each;
    task->length = durations[best];
    task->transfer = dm->prospects[best].transfer;
    if (each > 1)
        orr_sched_choose_implementation(sched, task, best % each);
}

/*
 * Chooses the worker of @task, and stores the predicted execution and transfer
 * times there in the task.
 */
void orr_dm_place(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    orr_time now = orr_sched_now(sched);
    const orr_time *durations = orr_sched_durations(sched, task);
    orr_time least = ORR_NEVER;
    orr_time transfers[ORR_MAX_NODES]; /* by node */

    if (dm->traits->data_aware)
        orr_sched_transfers(sched, task, dm->nodes, transfers);
    if (G_UNLIKELY(is_weighted(sched, dm, task))) {
        place_weighted(sched, task, transfers);
        return;
    }
    for (unsigned w = 0; w < dm->workers; w++) {
        const struct orr_dm_lane *lane = dm->lanes[w];
        orr_time duration = durations[w];
        orr_time transfer, end;

        if (duration == ORR_NEVER)
            continue;
        transfer = dm->traits->data_aware ? transfers[lane->ready.node] : 0;
        end = MAX(lane->start, now) + work_before(dm, lane, task);
        end = MAX(end, now + transfer) + duration;
        /* The least end is the same in all sums, so it is left out. */
        if (end + transfer >= least)
            continue;
        least = end + transfer;
        task->worker = w;
        task->length = duration;
        task->transfer = transfer;
    }
    g_assert(least != ORR_NEVER); /* some worker can run it */
}

/* Adds the task to the planned work of its worker. The transfer counts only as
 * far as it does not overlap with earlier planned work. */
static void add_to_plan(struct orr_dm_lane *lane, struct orr_task *task,
                        orr_time now)
{
    orr_time end;

    lane->start = MAX(lane->start, now);
    end = lane->start + lane->length;
    task->transfer = MAX(now + task->transfer - end, 0);
    lane->length += task->transfer + task->length;
}

static void append(struct orr_dm_lane *lane, struct orr_task *task)
{
    task->next = NULL;
    if (lane->newest)
        lane->newest->next = task;
    else
        lane->oldest = task;
    lane->newest = task;
}

/* Puts the task into the queue of its worker. */
static void add_to_queue(const struct orr_dm *dm, struct orr_dm_lane *lane,
                         struct orr_task *task)
{
    if (dm->traits->overtakes)
        orr_priority_sums_add(&lane->sums, task->priority, task->length);
    if (dm->traits->ready) {
        orr_ready_push(&lane->ready, task);
    } else if (dm->traits->sorted) {
        task->arrival = lane->arrivals++;
        orr_priority_fifo_push(&lane->sorted, task);
    } else {
        append(lane, task);
    }
}

void orr_dm_push(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_dm_lane *lane = lane_of(sched, task->worker);

    add_to_plan(lane, task, orr_sched_now(sched));
    orr_sched_prefetch(sched, task, task->worker);
    add_to_queue(orr_sched_state(sched), lane, task);
    orr_sched_wake(sched, task->worker);
}

static bool asks_transfers(struct orr_sched *sched)
{
    const struct orr_dm *dm = orr_sched_state(sched);

    return dm->traits->data_aware;
}

static bool reads_queues(struct orr_sched *sched)
{
    const struct orr_dm *dm = orr_sched_state(sched);

    return dm->traits->overtakes;
}

static orr_time begin(struct orr_sched *sched, const struct orr_task *task,
                      unsigned worker)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    const struct orr_dm_lane *lane = dm->lanes[worker];

    return MAX(lane->start, orr_sched_now(sched)) + work_before(dm, lane, task);
}

/* See struct orr_sched_planning. Weighted costs depend on the ends on all
 * workers, so each call compares all of them. */
static orr_time consider(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker, orr_time begins, orr_time least)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    const struct orr_dm_lane *lane = dm->lanes[worker];
    orr_time duration = orr_sched_duration(sched, task, worker);
    orr_time transfer = 0, end;

    if (is_weighted(sched, dm, task)) {
        orr_dm_place(sched, task);
        return least;
    }
    if (dm->traits->data_aware)
        transfer = orr_sched_transfer(sched, task, lane->ready.node);
    end = MAX(begins, orr_sched_now(sched) + transfer) + duration;
    if (end + transfer >= least)
        return least;
    task->worker = worker;
    task->length = duration;
    task->transfer = transfer;
    return end + transfer;
}

static void plan(struct orr_sched *sched, struct orr_task *task)
{
    add_to_plan(lane_of(sched, task->worker), task, orr_sched_now(sched));
}

static void queue(struct orr_sched *sched, struct orr_task *task)
{
    add_to_queue(orr_sched_state(sched), lane_of(sched, task->worker), task);
}

const struct orr_sched_planning orr_dm_planning = {
    .asks_transfers = asks_transfers,
    .reads_queues = reads_queues,
    .begin = begin,
    .consider = consider,
    .plan = plan,
    .queue = queue,
};

/* As StarPU's dmda_push_task_notify(). The transfer of such a task stays
 * planned when it starts, as the task is not popped. */
void orr_dm_bypassed(struct orr_sched *sched, struct orr_task *task,
                     unsigned worker)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    struct orr_dm_lane *lane = lane_of(sched, worker);

    task->worker = worker;
    task->length = orr_sched_durations(sched, task)[worker];
    task->transfer = dm->traits->data_aware
                         ? orr_sched_transfer(sched, task, lane->ready.node)
                         : 0;
    add_to_plan(lane, task, orr_sched_now(sched));
}

static struct orr_task *take_oldest(struct orr_dm_lane *lane)
{
    struct orr_task *task = lane->oldest;

    if (!task)
        return NULL;
    lane->oldest = task->next;
    if (lane->oldest)
        orr_task_prefetch_cache_chain(lane->oldest);
    else
        lane->newest = NULL;
    return task;
}

/* Removes the next task from the queue; NULL if it is empty. */
static struct orr_task *take(struct orr_sched *sched, struct orr_dm_lane *lane)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    struct orr_task *task;

    if (!dm->traits->ready)
        return dm->traits->sorted ? orr_priority_fifo_pop(&lane->sorted)
                                  : take_oldest(lane);
    task = orr_ready_pop(&lane->ready, sched);
    if (task && dm->traits->overtakes)
        orr_priority_sums_add(&lane->sums, task->priority, -task->length);
    return task;
}

struct orr_task *orr_dm_pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_dm_lane *lane = lane_of(sched, worker);
    orr_time now = orr_sched_now(sched);
    struct orr_task *task;

    lane->start = MAX(lane->start, now);
    task = take(sched, lane);
    if (task) {
        lane->length -= task->transfer;
        lane->pipeline += task->transfer;
        lane->start = now + lane->pipeline;
    }
    return task;
}

void orr_dm_started(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker)
{
    struct orr_dm_lane *lane = lane_of(sched, worker);

    lane->pipeline += task->length - task->transfer;
    lane->length -= task->length;
    lane->start = orr_sched_now(sched) + lane->pipeline;
}

void orr_dm_done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct orr_dm_lane *lane = lane_of(sched, worker);

    lane->pipeline -= task->length;
    lane->start = MAX(orr_sched_now(sched) + lane->pipeline, lane->start);
}

void orr_dm_touched(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    orr_ready_touch(task);
}

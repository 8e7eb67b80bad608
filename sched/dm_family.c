/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/dm_family.h"

void orr_dm_init(struct orr_sched *sched, const struct orr_dm_traits *traits)
{
    struct orr_dm *dm = orr_sched_state(sched);

    dm->traits = traits;
    dm->options = g_new0(struct orr_dm_option, orr_sched_workers(sched));
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct orr_dm_lane *lane = orr_sched_lane(sched, w);

        lane->ready.sorted = traits->sorted;
        lane->ready.node = orr_sched_node(sched, w);
    }
}

void orr_dm_fini(struct orr_sched *sched)
{
    struct orr_dm *dm = orr_sched_state(sched);

    g_free(dm->options);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct orr_dm_lane *lane = orr_sched_lane(sched, w);

        orr_ready_clear(&lane->ready);
    }
}

static void estimate(struct orr_sched *sched, const struct orr_task *task)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    orr_time now = orr_sched_now(sched);
    orr_time transfer = 0;
    unsigned node = G_MAXUINT; /* of @transfer */
    struct orr_dm_option *options = dm->options;

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        const struct orr_dm_lane *lane = orr_sched_lane(sched, w);
        orr_time start = MAX(lane->start, now) + lane->length;

        options[w].duration = orr_sched_duration(sched, task, w);
        if (options[w].duration == ORR_NEVER)
            continue;
        if (dm->traits->data_aware && orr_sched_node(sched, w) != node) {
            node = orr_sched_node(sched, w);
            transfer = orr_sched_transfer(sched, task, node);
        }
        options[w].transfer = transfer;
        options[w].end = MAX(start, now + transfer) + options[w].duration;
    }
}

static unsigned choose(struct orr_sched *sched)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    const struct orr_dm_option *options = dm->options;
    orr_time least = ORR_NEVER;
    unsigned best = 0;

    /* The least end of all is common to all sums: left out. */
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (options[w].duration == ORR_NEVER ||
            options[w].end + options[w].transfer >= least)
            continue;
        least = options[w].end + options[w].transfer;
        best = w;
    }
    g_assert(least != ORR_NEVER); /* some worker can run it */
    return best;
}

/* Adds the task to the plan of its worker: only that part of the transfer
 * counts which the work already planned does not hide. */
static void plan(struct orr_sched *sched, struct orr_task *task,
                 const struct orr_dm_option *option)
{
    struct orr_dm_lane *lane = orr_sched_lane(sched, task->worker);
    orr_time now = orr_sched_now(sched);
    orr_time end;

    lane->start = MAX(lane->start, now);
    end = lane->start + lane->length;
    task->length = option->duration;
    task->transfer = MAX(now + option->transfer - end, 0);
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

void orr_dm_push(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    struct orr_dm_lane *lane;

    estimate(sched, task);
    task->worker = choose(sched);
    plan(sched, task, &dm->options[task->worker]);
    orr_sched_prefetch(sched, task, task->worker);
    lane = orr_sched_lane(sched, task->worker);
    if (dm->traits->ready)
        orr_ready_push(&lane->ready, sched, task);
    else
        append(lane, task);
    orr_sched_wake(sched, task->worker);
}

static struct orr_task *take_oldest(struct orr_dm_lane *lane)
{
    struct orr_task *task = lane->oldest;

    if (task)
        lane->oldest = task->next;
    if (!lane->oldest)
        lane->newest = NULL;
    return task;
}

struct orr_task *orr_dm_pop(struct orr_sched *sched, unsigned worker)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    struct orr_dm_lane *lane = orr_sched_lane(sched, worker);
    orr_time now = orr_sched_now(sched);
    struct orr_task *task;

    lane->start = MAX(lane->start, now);
    task = dm->traits->ready ? orr_ready_pop(&lane->ready, sched)
                             : take_oldest(lane);
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
    struct orr_dm_lane *lane = orr_sched_lane(sched, worker);

    lane->pipeline += task->length - task->transfer;
    lane->length -= task->length;
    lane->start = orr_sched_now(sched) + lane->pipeline;
}

void orr_dm_done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct orr_dm_lane *lane = orr_sched_lane(sched, worker);

    lane->pipeline -= task->length;
    lane->start = MAX(orr_sched_now(sched) + lane->pipeline, lane->start);
}

void orr_dm_touched(struct orr_sched *sched, struct orr_task *task)
{
    struct orr_dm_lane *lane = orr_sched_lane(sched, task->worker);

    orr_ready_touch(&lane->ready, task);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/dm_family.h"

void orr_dm_init(struct orr_sched *sched, const struct orr_dm_traits *traits)
{
    struct orr_dm *dm = orr_sched_state(sched);

    dm->traits = traits;
    dm->workers = orr_sched_workers(sched);
    dm->lanes = g_new(struct orr_dm_lane *, dm->workers);
    for (unsigned w = 0; w < dm->workers; w++) {
        dm->lanes[w] = orr_sched_lane(sched, w);
        dm->lanes[w]->ready.sorted = traits->sorted;
        dm->lanes[w]->ready.node = orr_sched_node(sched, w);
    }
}

void orr_dm_fini(struct orr_sched *sched)
{
    struct orr_dm *dm = orr_sched_state(sched);

    for (unsigned w = 0; w < dm->workers; w++)
        orr_ready_clear(&dm->lanes[w]->ready);
    g_free(dm->lanes);
}

/*
 * Chooses the worker of @task, and notes how long it should run there and
 * its data take to come.
 */
static void choose(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    orr_time now = orr_sched_now(sched);
    orr_time least = ORR_NEVER;
    orr_time transfer = 0;
    unsigned node = G_MAXUINT; /* of @transfer */

    for (unsigned w = 0; w < dm->workers; w++) {
        const struct orr_dm_lane *lane = dm->lanes[w];
        orr_time duration = orr_sched_duration(sched, task, w);
        orr_time end;

        if (duration == ORR_NEVER)
            continue;
        if (dm->traits->data_aware && lane->ready.node != node) {
            node = lane->ready.node;
            transfer = orr_sched_transfer(sched, task, node);
        }
        end = MAX(MAX(lane->start, now) + lane->length, now + transfer) +
              duration;
        /* The least end of all is common to all sums: left out. */
        if (end + transfer >= least)
            continue;
        least = end + transfer;
        task->worker = w;
        task->length = duration;
        task->transfer = transfer;
    }
    g_assert(least != ORR_NEVER); /* some worker can run it */
}

/* Adds the task to the plan of its worker: only that part of the transfer
 * counts which the work already planned does not hide. */
static void plan(struct orr_dm_lane *lane, struct orr_task *task, orr_time now)
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

void orr_dm_push(struct orr_sched *sched, struct orr_task *task)
{
    const struct orr_dm *dm = orr_sched_state(sched);
    struct orr_dm_lane *lane;

    choose(sched, task);
    lane = dm->lanes[task->worker];
    plan(lane, task, orr_sched_now(sched));
    orr_sched_prefetch(sched, task, task->worker);
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
    (void)sched;
    orr_ready_touch(task);
}

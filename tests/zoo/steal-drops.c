/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * steal-drops: a queue for each worker; who has nothing steals from the next
 * one that has.
 *
 * The bug: what is stolen goes through the thief's own queue, whose lock is
 * only tried, since two thieves that wait for each other would not do. If
 * somebody pushes there just then, the task is in no queue any more. Reports of
 * work stealing that loses one task in a million steals are of this kind.
 */
#include "tests/zoo/fifo.h"

struct lane {
    struct orr_lock *lock;
    struct fifo queue;
};

static void init(struct orr_sched *sched)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        lane->lock = orr_lock_new(sched, "lane");
    }
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    unsigned caller = orr_sched_caller(sched);
    struct lane *lane =
        orr_sched_lane(sched, caller == ORR_NO_WORKER ? 0 : caller);

    orr_lock_acquire(lane->lock);
    fifo_put(&lane->queue, task);
    orr_lock_release(lane->lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *take(struct orr_sched *sched, struct lane *lane,
                             unsigned worker)
{
    struct orr_task *task;

    orr_lock_acquire(lane->lock);
    task = fifo_take(sched, &lane->queue, worker);
    orr_lock_release(lane->lock);
    return task;
}

static struct orr_task *steal(struct orr_sched *sched, unsigned worker)
{
    struct lane *own = orr_sched_lane(sched, worker);
    struct orr_task *task = NULL;

    for (unsigned i = 1; !task && i < orr_sched_workers(sched); i++) {
        unsigned victim = (worker + i) % orr_sched_workers(sched);

        task = take(sched, orr_sched_lane(sched, victim), worker);
    }
    if (!task || !orr_lock_try(own->lock))
        return NULL;
    fifo_put(&own->queue, task);
    task = fifo_take(sched, &own->queue, worker);
    orr_lock_release(own->lock);
    return task;
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_task *task = take(sched, orr_sched_lane(sched, worker), worker);

    return task ? task : steal(sched, worker);
}

static const struct orr_sched_ops steal_drops = {
    .name = "steal-drops",
    .summary = "work stealing that may lose what it stole",
    .lane_size = sizeof(struct lane),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&steal_drops);

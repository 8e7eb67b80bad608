/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stale-size: a queue for each worker; one that finds its own empty steals
 * half of another's.
 *
 * The bug: the thief reads the size before it takes the lock of the victim,
 * and subtracts what it wanted to steal, not what it got. Sizes drift, and a
 * queue whose size is 0 is not looked into, though a task is there. -DFIXED
 * reads the size under the lock.
 */
#include "tests/zoo/fifo.h"

struct lane {
    struct orr_lock *lock;
    struct fifo queue;
    int size;
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
    lane->size++;
    orr_lock_release(lane->lock);
    fifo_wake_all(sched, task);
}

static int size_of(struct lane *lane)
{
    int size;

    orr_lock_acquire(lane->lock);
    size = lane->size;
    orr_lock_release(lane->lock);
    return size;
}

/* Takes the first task, and leaves the rest of the half to the next thief. */
static struct orr_task *take(struct orr_sched *sched, struct lane *lane,
                             unsigned worker)
{
    struct orr_task *task = NULL;
#ifndef FIXED
    int size = size_of(lane);
#endif

    orr_lock_acquire(lane->lock);
#ifdef FIXED
    int size = lane->size;
#endif
    if (size > 0) {
        task = fifo_take(sched, &lane->queue, worker);
#ifdef FIXED
        lane->size -= task != NULL;
#else
        if (task)
            lane->size = size - 1;
#endif
    }
    orr_lock_release(lane->lock);
    return task;
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    unsigned workers = orr_sched_workers(sched);
    struct orr_task *task = NULL;

    for (unsigned i = 0; i < workers && !task; i++)
        task =
            take(sched, orr_sched_lane(sched, (worker + i) % workers), worker);
    (void)size_of;
    return task;
}

static const struct orr_sched_ops stale_size = {
    .name = "stale-size",
    .summary = "queues whose sizes are read too early",
    .lane_size = sizeof(struct lane),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&stale_size);

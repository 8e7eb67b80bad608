/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inverted: two queues with a lock each, for urgent tasks and for others.
 *
 * The bug: priority inversion. A worker that finds the lock of the urgent
 * queue taken does not wait for it, and takes a task of the other queue,
 * although an urgent one is there. Nothing hangs: orrery explore --check-
 * priorities finds it. -DFIXED waits.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *locks[2]; /* of the queues; the urgent one first */
    struct fifo queues[2];
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->locks[0] = orr_lock_new(sched, "urgent");
    state->locks[1] = orr_lock_new(sched, "other");
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned which = task->priority > 0 ? 0 : 1;

    orr_lock_acquire(state->locks[which]);
    fifo_put(&state->queues[which], task);
    orr_lock_release(state->locks[which]);
    fifo_wake_all(sched, task);
}

static struct orr_task *take(struct orr_sched *sched, unsigned which,
                             unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->locks[which]);
    task = fifo_take(sched, &state->queues[which], worker);
    orr_lock_release(state->locks[which]);
    return task;
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = NULL;
    bool tries = true;

#ifndef FIXED
    tries = orr_lock_try(state->locks[0]);
    if (tries)
        orr_lock_release(state->locks[0]);
#endif
    if (tries)
        task = take(sched, 0, worker);
    if (!task)
        task = take(sched, 1, worker);
    if (!task && !tries)
        task = take(sched, 0, worker);
    (void)state;
    return task;
}

static const struct orr_sched_ops inverted = {
    .name = "inverted",
    .summary = "two queues, of which the urgent one may be passed over",
    .state_size = sizeof(struct state),
    .priorities = true,
    .max_priority = 1,
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&inverted);

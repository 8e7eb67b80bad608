/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wake-first: one queue for all.
 *
 * The bug: push wakes the workers before it queues the task. A worker that
 * looks at once finds nothing, and sleeps again. "Signal before the state has
 * changed" is the most common cause of a lost wake-up. -DFIXED queues first.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo queue;
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

#ifndef FIXED
    fifo_wake_all(sched, task);
#endif
    orr_lock_acquire(state->lock);
    fifo_put(&state->queue, task);
    orr_lock_release(state->lock);
#ifdef FIXED
    fifo_wake_all(sched, task);
#endif
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = fifo_take(sched, &state->queue, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops wake_first = {
    .name = "wake-first",
    .summary = "a queue whose sleepers are woken too early",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&wake_first);

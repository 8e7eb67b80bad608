/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * negative-count: one queue for all, and a number of tasks in it that
 * statistics show.
 *
 * The bug: push counts a task after it has released the lock, so a worker may
 * pop it before it is counted. The policy itself checks that the number is
 * never negative (orr_check()). -DFIXED counts under the lock.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo queue;
    int count;
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->lock);
    fifo_put(&state->queue, task);
#ifndef FIXED
    orr_lock_release(state->lock);
    fifo_wake_all(sched, task);
    orr_lock_acquire(state->lock);
#endif
    state->count++;
    orr_lock_release(state->lock);
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = fifo_take(sched, &state->queue, worker);
    state->count -= task != NULL;
    orr_check(sched, state->count >= 0);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops negative_count = {
    .name = "negative-count",
    .summary = "a queue that counts its tasks too late",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&negative_count);

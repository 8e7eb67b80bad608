/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * one-waker: one queue for all.
 *
 * The bug: push wakes only the first worker that can run the task, even if it
 * is busy. Others sleep while tasks wait. Nothing hangs: orrery explore --max-
 * wait 5ms finds it. -DFIXED wakes all.
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

    orr_lock_acquire(state->lock);
    fifo_put(&state->queue, task);
    orr_lock_release(state->lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (!fifo_can_run(sched, task, w))
            continue;
        orr_sched_wake(sched, w);
#ifndef FIXED
        break;
#endif
    }
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

static const struct orr_sched_ops one_waker = {
    .name = "one-waker",
    .summary = "a queue that wakes one worker, always the same",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&one_waker);

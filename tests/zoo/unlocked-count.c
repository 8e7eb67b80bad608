/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * unlocked-count: one queue for all, with a number of tasks beside it, so that
 * workers need not take the lock to see that it is empty.
 *
 * The bug: the number is not changed under the lock, and two workers that
 * change it at once lose one of the changes. Once it is 0 although there is a
 * task, no worker looks for it any more. Counters of ready tasks that drift are
 * a classic of runtimes. -DFIXED changes it under the lock, and reads it there.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo queue;
    int ready; /* tasks in the queue */
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
#ifdef FIXED
    state->ready++;
#endif
    orr_lock_release(state->lock);
#ifndef FIXED
    state->ready++;
#endif
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = NULL;

#ifndef FIXED
    if (state->ready == 0)
        return NULL;
#endif
    orr_lock_acquire(state->lock);
    if (state->ready > 0)
        task = fifo_take(sched, &state->queue, worker);
#ifdef FIXED
    state->ready -= task != NULL;
#endif
    orr_lock_release(state->lock);
#ifndef FIXED
    state->ready -= task != NULL;
#endif
    return task;
}

static const struct orr_sched_ops unlocked_count = {
    .name = "unlocked-count",
    .summary = "a queue whose length is counted without its lock",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&unlocked_count);

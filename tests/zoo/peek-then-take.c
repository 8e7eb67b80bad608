/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * peek-then-take: one queue for all; a worker first looks for a task under the
 * lock, and takes it out under the lock again.
 *
 * The bug: between the two another worker may have found the same task. Both
 * get it. -DFIXED looks and takes at once.
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
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
#ifdef FIXED
    task = fifo_take(sched, &state->queue, worker);
#else
    task = state->queue.first;
    while (task && !fifo_can_run(sched, task, worker))
        task = task->next;
    orr_lock_release(state->lock);
    orr_lock_acquire(state->lock);
    if (task)
        fifo_take(sched, &state->queue, worker);
#endif
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops peek_then_take = {
    .name = "peek-then-take",
    .summary = "a queue that is searched twice",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&peek_then_take);

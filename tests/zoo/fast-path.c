/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fast-path: one queue for all, and a place for one task that the next worker
 * takes without looking through the queue.
 *
 * The bug: the task in the place is put there for the worker that push has
 * woken, but any worker takes it, also one that cannot run it. -DFIXED looks
 * whether it can.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo queue;
    struct orr_task *next; /* NULL: none */
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
    if (state->next)
        fifo_put(&state->queue, task);
    else
        state->next = task;
    orr_lock_release(state->lock);
    fifo_wake_all(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = state->next;
#ifdef FIXED
    if (task && !fifo_can_run(sched, task, worker))
        task = NULL;
#endif
    if (task)
        state->next = NULL;
    else
        task = fifo_take(sched, &state->queue, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops fast_path = {
    .name = "fast-path",
    .summary = "a queue with a place for the next task",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&fast_path);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lock-order: a queue, and how many tasks it has, each with a lock.
 *
 * The bug: push takes the lock of the queue and then that of the count, pop
 * the other way round. This is the inversion of two locks that reports of
 * runtimes with a lock for the queue and one for its statistics, or for
 * priorities, come down to: it needs a push and a pop at the same moment.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *queue_lock, *count_lock;
    struct fifo queue;
    unsigned count;
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->queue_lock = orr_lock_new(sched, "queue");
    state->count_lock = orr_lock_new(sched, "count");
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->queue_lock);
    fifo_put(&state->queue, task);
    orr_lock_acquire(state->count_lock);
    state->count++;
    orr_lock_release(state->count_lock);
    orr_lock_release(state->queue_lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = NULL;

    orr_lock_acquire(state->count_lock);
    if (state->count > 0) {
        orr_lock_acquire(state->queue_lock);
        task = fifo_take(sched, &state->queue, worker);
        state->count -= task != NULL;
        orr_lock_release(state->queue_lock);
    }
    orr_lock_release(state->count_lock);
    return task;
}

static const struct orr_sched_ops lock_order = {
    .name = "lock-order",
    .summary = "a queue and its count, locked in both orders",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&lock_order);

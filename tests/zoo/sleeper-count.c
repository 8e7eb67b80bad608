/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sleeper-count: one queue for all, and a number of workers that sleep, so
 * that push wakes nobody while all are busy.
 *
 * The bug: a double-checked flag. A worker that finds nothing releases the
 * lock, and takes it again to count itself as a sleeper, without a second
 * look. A task that comes in between wakes nobody. -DFIXED counts under the
 * first lock.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo queue;
    unsigned sleepers;
};

struct lane {
    bool sleeps;
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
    state->sleepers = orr_sched_workers(sched);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        ((struct lane *)orr_sched_lane(sched, w))->sleeps = true;
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    bool wakes;

    orr_lock_acquire(state->lock);
    fifo_put(&state->queue, task);
    wakes = state->sleepers > 0;
    orr_lock_release(state->lock);
    if (wakes)
        fifo_wake_all(sched, task);
}

/* Counts @worker, with the lock held. */
static void note(struct orr_sched *sched, unsigned worker, bool sleeps)
{
    struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);

    if (lane->sleeps != sleeps)
        state->sleepers += sleeps ? 1 : -1u;
    lane->sleeps = sleeps;
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = fifo_take(sched, &state->queue, worker);
#ifndef FIXED
    orr_lock_release(state->lock);
    orr_lock_acquire(state->lock);
#endif
    note(sched, worker, !task);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops sleeper_count = {
    .name = "sleeper-count",
    .summary = "a queue that counts its sleepers too late",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&sleeper_count);

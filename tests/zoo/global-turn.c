/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * global-turn: a queue for each worker, in turn.
 *
 * The bug: whose turn it is is kept in a variable of the file, which outlives
 * the run. So two runs differ, and what is found in one does not come back.
 * Reports of hangs that "do not happen again with the same seed" end so.
 * -DFIXED keeps it in the state.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    unsigned turn;
};

struct lane {
    struct fifo queue;
};

#ifndef FIXED
static unsigned turns;
#endif

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);
    unsigned workers = orr_sched_workers(sched);
    unsigned worker;

    orr_lock_acquire(state->lock);
    do {
#ifdef FIXED
        worker = state->turn++ % workers;
#else
        worker = turns++ % workers;
#endif
    } while (!fifo_can_run(sched, task, worker));
    fifo_put(&((struct lane *)orr_sched_lane(sched, worker))->queue, task);
    orr_lock_release(state->lock);
    orr_sched_wake(sched, worker);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = fifo_take(sched, &lane->queue, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops global_turn = {
    .name = "global-turn",
    .summary = "queues in turn, across runs",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&global_turn);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * batch-count: tasks are handed out in batches: those that come while a batch
 * is under way wait until its last task has ended.
 *
 * The bug: a worker that ends a task counts under the lock, but looks whether
 * it was the last one under the lock again, later. Two workers may both see
 * that the batch is over. The second one starts a batch over that has just
 * begun, and its count is never reached again. -DFIXED counts and looks at
 * once.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *lock;
    struct fifo batch, later;
    unsigned left;    /* tasks of the batch that have not ended */
    unsigned waiting; /* tasks that come later */
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->lock = orr_lock_new(sched, "queue");
}

/* Begins the next batch, with the lock held. */
static void begin(struct state *state)
{
    state->batch = state->later;
    state->later = (struct fifo){NULL, NULL};
    state->left = state->waiting;
    state->waiting = 0;
}

static void wake(struct orr_sched *sched)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->lock);
    fifo_put(&state->later, task);
    state->waiting++;
    if (state->left == 0)
        begin(state);
    orr_lock_release(state->lock);
    wake(sched);
}

static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    bool last;

    (void)task;
    (void)worker;
    orr_lock_acquire(state->lock);
    state->left--;
#ifndef FIXED
    orr_lock_release(state->lock);
    orr_lock_acquire(state->lock);
#endif
    last = state->left == 0;
#ifndef FIXED
    orr_lock_release(state->lock);
    orr_lock_acquire(state->lock);
#endif
    if (last)
        begin(state);
    orr_lock_release(state->lock);
    wake(sched);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->lock);
    task = fifo_take(sched, &state->batch, worker);
    orr_lock_release(state->lock);
    return task;
}

static const struct orr_sched_ops batch_count = {
    .name = "batch-count",
    .summary = "tasks in batches, whose ends are noticed twice",
    .state_size = sizeof(struct state),
    .concurrent = true,
    .init = init,
    .done = done,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&batch_count);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lost-wakeup: one queue for all, and a list of the workers that have found it
 * empty, so that push need not wake those that are busy.
 *
 * The bug: queue and list have a lock each, and between finding the queue empty
 * and being on the list a worker holds neither. A task that is pushed just then
 * does not wake it, and if no other task comes, since they depend on this one,
 * it sleeps for ever. Reports of custom policies that hang with dependent tasks
 * once in many runs end in this way.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct orr_lock *queue_lock, *idle_lock;
    struct fifo queue;
};

struct lane {
    bool idle; /* on the list */
};

static void init(struct orr_sched *sched)
{
    struct state *state = orr_sched_state(sched);

    state->queue_lock = orr_lock_new(sched, "queue");
    state->idle_lock = orr_lock_new(sched, "idle");
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        ((struct lane *)orr_sched_lane(sched, w))->idle = true;
}

/* Wakes the workers on the list that can run @task. */
static void wake_idle(struct orr_sched *sched, const struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->idle_lock);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        if (!lane->idle || !fifo_can_run(sched, task, w))
            continue;
        lane->idle = false;
        orr_sched_wake(sched, w);
    }
    orr_lock_release(state->idle_lock);
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    orr_lock_acquire(state->queue_lock);
    fifo_put(&state->queue, task);
    orr_lock_release(state->queue_lock);
    wake_idle(sched, task);
}

static struct orr_task *look(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task;

    orr_lock_acquire(state->queue_lock);
    task = fifo_take(sched, &state->queue, worker);
    orr_lock_release(state->queue_lock);
    return task;
}

/* Puts @worker on the list, or takes it off. */
static void list(struct orr_sched *sched, unsigned worker, bool idle)
{
    struct state *state = orr_sched_state(sched);
    struct lane *lane = orr_sched_lane(sched, worker);

    orr_lock_acquire(state->idle_lock);
    lane->idle = idle;
    orr_lock_release(state->idle_lock);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct orr_task *task = look(sched, worker);

    list(sched, worker, !task);
    return task;
}

static const struct orr_sched_ops lost_wakeup = {
    .name = "lost-wakeup",
    .summary = "a queue whose sleepers are noted too late",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct lane),
    .concurrent = true,
    .init = init,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&lost_wakeup);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * nobody-polls: a task goes to a worker that sleeps, to have it at once; if
 * nobody sleeps, into a backlog, from which whoever ends a task fetches one.
 *
 * The bug: the backlog is looked at when a task ends and never when a worker
 * asks. If two tasks go there and but one ends after that, the other stays for
 * ever. So in reports of tasks that were pushed to a queue which, by then,
 * nobody polled.
 */
#include "tests/zoo/fifo.h"

struct state {
    struct fifo backlog;
};

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (fifo_can_run(sched, task, w) && orr_sched_wake(sched, w)) {
            fifo_put(orr_sched_lane(sched, w), task);
            return;
        }
    }
    fifo_put(&state->backlog, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    return fifo_take(sched, orr_sched_lane(sched, worker), worker);
}

static void done(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *next = fifo_take(sched, &state->backlog, worker);

    (void)task;
    if (next)
        fifo_put(orr_sched_lane(sched, worker), next);
}

static const struct orr_sched_ops nobody_polls = {
    .name = "nobody-polls",
    .summary = "a backlog from which tasks come as others end",
    .state_size = sizeof(struct state),
    .lane_size = sizeof(struct fifo),
    .push = push,
    .pop = pop,
    .done = done,
};

ORR_SCHED_PLUGIN(&nobody_polls);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fastest: as eager, but each task runs the implementation of its kernel that
 * takes the least time on its worker. */
#include "sched/sched.h"

struct state {
    struct orr_task *oldest, *newest;
};

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct state *state = orr_sched_state(sched);

    task->next = NULL;
    if (state->oldest)
        state->newest->next = task;
    else
        state->oldest = task;
    state->newest = task;
    orr_sched_wake_any(sched, task);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct state *state = orr_sched_state(sched);
    struct orr_task *task = state->oldest;
    orr_time least = ORR_NEVER;

    if (!task || orr_sched_duration(sched, task, worker) == ORR_NEVER)
        return NULL;
    for (unsigned i = 0; i < orr_sched_implementations(sched, task); i++) {
        orr_time duration =
            orr_sched_implementation_duration(sched, task, worker, i);

        if (duration >= least)
            continue;
        least = duration;
        orr_sched_choose_implementation(sched, task, i);
    }
    state->oldest = task->next;
    return task;
}

static const struct orr_sched_ops fastest = {
    .name = "fastest",
    .summary = "the fastest implementation, in order of readiness",
    .state_size = sizeof(struct state),
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&fastest);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * idle: a stack that nobody is told of; with the macro ENDLESS one that gives
 * nothing, but has whoever asks ask again.
 */
#include "sched/sched.h"

struct stack {
    struct orr_task *top;
};

static void idle_push(struct orr_sched *sched, struct orr_task *task)
{
    struct stack *stack = orr_sched_state(sched);

    task->next = stack->top;
    stack->top = task;
#ifdef ENDLESS
    orr_sched_wake(sched, 0);
#endif
}

static struct orr_task *idle_pop(struct orr_sched *sched, unsigned worker)
{
    struct stack *stack = orr_sched_state(sched);
    struct orr_task *task = stack->top;

#ifdef ENDLESS
    orr_sched_wake(sched, worker);
    return NULL;
#endif
    (void)worker;
    if (task)
        stack->top = task->next;
    return task;
}

static const struct orr_sched_ops idle = {
    .name = "idle",
    .summary = "nobody does anything",
    .state_size = sizeof(struct stack),
    .push = idle_push,
    .pop = idle_pop,
};

ORR_SCHED_PLUGIN(&idle);

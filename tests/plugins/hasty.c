/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hasty: a queue that the last worker opens, provided that it asks before any
 * other does, as it does by default. Otherwise nobody is given anything.
 */
#include "sched/sched.h"

struct queue {
    struct orr_task *first, *last;
    bool asked, open;
};

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct queue *queue = orr_sched_state(sched);

    task->next = NULL;
    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct queue *queue = orr_sched_state(sched);
    struct orr_task *task = queue->first;

    if (!queue->asked)
        queue->open = worker + 1 == orr_sched_workers(sched);
    queue->asked = true;
    if (!task || !queue->open)
        return NULL;
    queue->first = task->next;
    return task;
}

static const struct orr_sched_ops hasty = {
    .name = "hasty",
    .summary = "one queue, of use if the last worker comes first",
    .state_size = sizeof(struct queue),
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&hasty);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* eager: all workers share one queue, first in first out. */
#include "sched/host.h"

struct queue {
    struct orr_task *first, *last;
};

struct lane {
    /* Where the next search of the queue begins: the worker can run no task
     * before this one. NULL: it can run no task of the queue. */
    struct orr_task *next;
};

static void eager_push(struct orr_sched *sched, struct orr_task *task)
{
    struct queue *queue = orr_sched_state(sched);

    task->prev = queue->last;
    if (queue->last)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        if (!lane->next)
            lane->next = task;
    }
    orr_sched_wake_any(sched, task);
}

static void withdraw(struct orr_sched *sched, struct orr_task *task)
{
    struct queue *queue = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        struct lane *lane = orr_sched_lane(sched, w);

        if (lane->next == task)
            lane->next = task->next;
    }
    *(task->prev ? &task->prev->next : &queue->first) = task->next;
    *(task->next ? &task->next->prev : &queue->last) = task->prev;
}

static struct orr_task *eager_pop(struct orr_sched *sched, unsigned worker)
{
    struct lane *lane = orr_sched_lane(sched, worker);

    while (lane->next &&
           orr_sched_duration(sched, lane->next, worker) == ORR_NEVER)
        lane->next = lane->next->next;
    if (!lane->next)
        return NULL;

    struct orr_task *task = lane->next;
    withdraw(sched, task);
    return task;
}

const struct orr_sched_ops orr_policy_eager = {
    .name = "eager",
    .summary = "one shared queue, first in, first out",
    .state_size = sizeof(struct queue),
    .lane_size = sizeof(struct lane),
    .push = eager_push,
    .pop = eager_pop,
};

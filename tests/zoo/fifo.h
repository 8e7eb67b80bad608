/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ZOO_FIFO_H
#define ORR_ZOO_FIFO_H

#include "sched/sched.h"

/* A queue of tasks, first come first served, for the policies of the zoo. */
struct fifo {
    struct orr_task *first, *last;
};

static inline void fifo_put(struct fifo *fifo, struct orr_task *task)
{
    task->next = NULL;
    if (fifo->first)
        fifo->last->next = task;
    else
        fifo->first = task;
    fifo->last = task;
}

static inline bool fifo_can_run(const struct orr_sched *sched,
                                const struct orr_task *task, unsigned worker)
{
    return orr_sched_duration(sched, task, worker) != ORR_NEVER;
}

/* The first task that @worker can run, or NULL. */
static inline struct orr_task *fifo_take(const struct orr_sched *sched,
                                         struct fifo *fifo, unsigned worker)
{
    struct orr_task *before = NULL;
    struct orr_task *task = fifo->first;

    while (task && !fifo_can_run(sched, task, worker)) {
        before = task;
        task = task->next;
    }
    if (!task)
        return NULL;
    if (before)
        before->next = task->next;
    else
        fifo->first = task->next;
    if (fifo->last == task)
        fifo->last = before;
    return task;
}

/* Wakes all workers that can run @task. */
static inline void fifo_wake_all(struct orr_sched *sched,
                                 const struct orr_task *task)
{
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (fifo_can_run(sched, task, w))
            orr_sched_wake(sched, w);
    }
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lossy: a queue with a lock, and workers that are woken before the task is in
 * it. One that is fast enough finds nothing, sleeps, and is not woken again.
 */
#include "sched/sched.h"

struct queue {
    struct orr_lock *lock;
    struct orr_task *first, *last;
};

static void init(struct orr_sched *sched)
{
    struct queue *queue = orr_sched_state(sched);

    queue->lock = orr_lock_new(sched, "queue");
}

static void fini(struct orr_sched *sched)
{
    struct queue *queue = orr_sched_state(sched);

    orr_lock_free(queue->lock);
}

static void push(struct orr_sched *sched, struct orr_task *task)
{
    struct queue *queue = orr_sched_state(sched);

    for (unsigned w = 0; w < orr_sched_workers(sched); w++)
        orr_sched_wake(sched, w);
    orr_lock_acquire(queue->lock);
    task->next = NULL;
    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    orr_lock_release(queue->lock);
}

static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct queue *queue = orr_sched_state(sched);
    struct orr_task *task;

    (void)worker;
    orr_lock_acquire(queue->lock);
    task = queue->first;
    if (task)
        queue->first = task->next;
    orr_lock_release(queue->lock);
    return task;
}

static const struct orr_sched_ops lossy = {
    .name = "lossy",
    .summary = "one queue, whose workers are woken too early",
    .state_size = sizeof(struct queue),
    .concurrent = true,
    .init = init,
    .fini = fini,
    .push = push,
    .pop = pop,
};

ORR_SCHED_PLUGIN(&lossy);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fifo: a queue, and plug-ins that are not quite right: each macro may be given
 * to the compiler. */
#include "sched/sched.h"

#ifndef NAME
#define NAME "fifo"
#endif
#ifndef PUSH
#define PUSH push
#endif
#ifndef POP
#define POP pop
#endif
#ifndef MAX_PRIORITY
#define MAX_PRIORITY 0
#endif
#ifndef POLICY
#define POLICY &fifo
#endif
#ifndef MAGIC
#define MAGIC ORR_SCHED_MAGIC
#endif
#ifndef VERSION
#define VERSION ORR_SCHED_VERSION
#endif
#ifndef OPS_SIZE
#define OPS_SIZE sizeof(struct orr_sched_ops)
#endif
#ifndef TASK_SIZE
#define TASK_SIZE sizeof(struct orr_task)
#endif
#ifndef SYMBOL
#define SYMBOL orr_sched_plugin
#endif

/* For -DPOP=nowhere: of which there is none. */
struct orr_task *nowhere(struct orr_sched *sched, unsigned worker);

struct queue {
    struct orr_task *first, *last;
};

__attribute__((unused)) static void push(struct orr_sched *sched,
                                         struct orr_task *task)
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

__attribute__((unused)) static struct orr_task *pop(struct orr_sched *sched,
                                                    unsigned worker)
{
    struct queue *queue = orr_sched_state(sched);
    struct orr_task *task = queue->first;

    if (!task || orr_sched_duration(sched, task, worker) == ORR_NEVER)
        return NULL;
    queue->first = task->next;
    return task;
}

__attribute__((unused)) static const struct orr_sched_ops fifo = {
    .name = NAME,
    .summary = "one queue, whose first task waits for who can run it",
    .state_size = sizeof(struct queue),
    .max_priority = MAX_PRIORITY,
    .push = PUSH,
    .pop = POP,
};

ORR_API extern const struct orr_sched_plugin SYMBOL;
const struct orr_sched_plugin SYMBOL = {MAGIC, VERSION, OPS_SIZE, TASK_SIZE,
                                        POLICY};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PRIORITY_FIFO_H
#define ORR_PRIORITY_FIFO_H

#include "sched/sched.h"

/*
 * A queue of tasks by descending priority, first in first out among equal
 * priorities.
 *
 * Thousands of tasks may wait, of few different priorities, scattered over a
 * large memory. So tasks of one priority are in a list, and only the lists are
 * in a heap: a push or pop touches few other tasks. A small table finds the
 * list of a priority. If another list has taken its place in the table, a
 * second list of that priority is begun, and the older one gets no more tasks.
 */
struct orr_priority_fifo_chain;

enum { ORR_PRIORITY_FIFO_RECENT = 256 };

/* Zero-initialised is empty. */
struct orr_priority_fifo {
    struct orr_heap chains; /* by priority, then arrival of the first task */
    struct orr_priority_fifo_chain
        *recent[ORR_PRIORITY_FIFO_RECENT]; /* by the last bits of
                                their priority */
    struct orr_priority_fifo_chain *unused;
};

/* Frees the memory of the queue, not the tasks in it. */
void orr_priority_fifo_clear(struct orr_priority_fifo *queue);

/* Adds @task. Its arrival must be larger than that of all tasks added before.
 * Its member next is used. */
void orr_priority_fifo_push(struct orr_priority_fifo *queue,
                            struct orr_task *task);

/* Puts back @task, which was popped. No task in the queue may be more urgent.
 */
void orr_priority_fifo_push_first(struct orr_priority_fifo *queue,
                                  struct orr_task *task);

/* The first task, or NULL if the queue is empty. */
const struct orr_task *
orr_priority_fifo_first(const struct orr_priority_fifo *queue);

/* Removes and returns the first task, or NULL if the queue is empty. */
struct orr_task *orr_priority_fifo_pop(struct orr_priority_fifo *queue);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PRIORITY_FIFO_H
#define ORR_PRIORITY_FIFO_H

#include "sched/sched.h"

/*
 * A queue of tasks: the most urgent first, first come first served among
 * equals.
 *
 * Thousands of tasks may wait, with few different priorities between them, and
 * they lie all over a large memory. So those of one priority are chained, and
 * only the chains are in a heap: what is pushed or popped moves no other task.
 * Two chains may be of one priority, since the chain to which a task belongs
 * is looked for in a small table only, where another may have taken its place;
 * but never is a task put into the older of the two.
 */
struct orr_priority_fifo_chain;

enum { ORR_PRIORITY_FIFO_RECENT = 256 };

/* Zero-initialised is empty. */
struct orr_priority_fifo {
    struct orr_heap chains; /* by priority and the arrival of their first */
    struct orr_priority_fifo_chain
        *recent[ORR_PRIORITY_FIFO_RECENT]; /* by the last bits of
                                their priority */
    struct orr_priority_fifo_chain *unused;
};

/* Forgets the tasks that are left. */
void orr_priority_fifo_clear(struct orr_priority_fifo *queue);

/* Adds @task, whose arrival is larger than those of all that were added. Uses
 * its next. */
void orr_priority_fifo_push(struct orr_priority_fifo *queue,
                            struct orr_task *task);

/* The task that is next, or NULL. */
const struct orr_task *
orr_priority_fifo_first(const struct orr_priority_fifo *queue);

/* Takes it out. */
struct orr_task *orr_priority_fifo_pop(struct orr_priority_fifo *queue);

#endif

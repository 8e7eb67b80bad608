/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_READY_H
#define ORR_READY_H

#include "sched/sched.h"

/*
 * A queue from which a worker takes the task that is the readiest to run: the
 * one that lacks the fewest bytes on its memory node (StarPU,
 * fifo_queues.c, pop_first_ready_task).
 *
 * Candidates are the tasks with at least the priority of the head. Among
 * them the best has the fewest bytes to read that are not valid on the node,
 * then the fewest whose load has not started, then the fewest without a
 * buffer; the oldest wins ties. The head is the oldest task, or, if sorted,
 * the oldest of the highest priority.
 *
 * The reference looks at every candidate each time. Here the tasks of each
 * priority are in a heap of their own, and of those that were touched only
 * the candidates are looked at again, when somebody pops: O(log n) for a task
 * that has got better or is popped, next to nothing for one pushed, touched or
 * got worse. Nor are tasks watched before they are candidates: most never are
 * until shortly before their turn.
 */
struct orr_ready_rank;

struct orr_ready {
    bool sorted;   /* the head is the most urgent task, else the oldest */
    unsigned node; /* memory node */
    uint64_t arrivals;
    struct orr_ready_rank **ranks; /* by priority, the highest last, which
                                      never is empty; then spare ones */
    unsigned count;                /* of ranks in use */
    unsigned capacity;
    struct orr_task *oldest, *newest; /* chain by arrival, unless sorted */
};

/* Forgets the tasks that are left. */
void orr_ready_clear(struct orr_ready *queue);

/* Adds @task. Once it is a candidate it is watched: the policy passes on what
 * touches it. */
void orr_ready_push(struct orr_ready *queue, struct orr_task *task);

/* @task, which is in a queue and watched, may lack more or less than before. */
void orr_ready_touch(struct orr_task *task);

/* Returns the best task, or NULL if there is none. */
struct orr_task *orr_ready_pop(struct orr_ready *queue,
                               struct orr_sched *sched);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_READY_H
#define ORR_READY_H

#include "sched/sched.h"

/*
 * A queue from which a worker takes the task that lacks the fewest bytes on its
 * memory node (StarPU, fifo_queues.c, pop_first_ready_task).
 *
 * The candidates are the tasks with at least the priority of the head. The head
 * is the oldest task or, in a sorted queue, the oldest of the highest priority.
 * The best candidate has the fewest bytes to read that are not valid on the
 * node; then the fewest bytes whose load has not started; then the fewest bytes
 * without a buffer; then it is the oldest.
 *
 * StarPU compares all candidates at each pop. Here the tasks of each priority
 * are in a heap, and a pop compares only those candidates again that were
 * touched (sched.h), at a cost of O(log n) each. Tasks are watched only once
 * they are candidates, which for most is shortly before they are popped.
 */
struct orr_ready_rank;

enum { ORR_READY_RECENT = 16 };

struct orr_ready {
    bool sorted;   /* the head is the oldest task of the highest priority */
    unsigned node; /* memory node of the worker */
    uint64_t arrivals;
    struct orr_ready_rank **ranks; /* ascending by priority; the last in
                                      use is not empty; then spare ones */
    unsigned count;                /* ranks in use */
    unsigned capacity;
    struct orr_ready_rank *recent[ORR_READY_RECENT]; /* last used, by priority
                                                        modulo the size */
    struct orr_task *oldest, *newest; /* list by arrival, unless sorted */
};

/* Frees the memory of the queue, not the tasks in it. */
void orr_ready_clear(struct orr_ready *queue);

/* Adds @task. Once it is a candidate, the queue watches it; the operation
 * touched of the policy has to call orr_ready_touch(). */
void orr_ready_push(struct orr_ready *queue, struct orr_task *task);

/* Marks @task, which is in a queue and watched: it may lack more or fewer bytes
 * than before, and is compared again. */
void orr_ready_touch(struct orr_task *task);

/* Removes and returns the best task, or NULL if the queue is empty. */
struct orr_task *orr_ready_pop(struct orr_ready *queue,
                               struct orr_sched *sched);

#endif

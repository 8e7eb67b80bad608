/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUEING_H
#define ORR_QUEUEING_H

#include "sched/sched.h"

/*
 * Where a built-in policy queues its tasks, for runs that play StarPU's locks
 * operation by operation (runtime/lockstep/). All workers share one queue, or
 * each worker has a queue of its own and steals from others.
 *
 * Plug-ins have no such description, and run as a whole push or pop at a time:
 * the functions below are called without the guard (sched/guard/guard.h), and
 * have to take exactly the locks that StarPU takes.
 */
struct orr_queueing {
    const struct orr_sched_steal *steal; /* NULL: one queue for all workers */
};

/* Push and pop of a work-stealing policy, in the steps that StarPU takes under
 * different locks. */
struct orr_sched_steal {
    /* Returns the worker whose queue @task is to join. */
    unsigned (*receiver)(struct orr_sched *sched, struct orr_task *task);

    /* Adds @task to the queue of @receiver. */
    void (*push)(struct orr_sched *sched, struct orr_task *task,
                 unsigned receiver);

    /* Takes a task out of the queue of @worker; NULL if there is none. */
    struct orr_task *(*own)(struct orr_sched *sched, unsigned worker);

    /* Returns the worker that @thief steals from, or ORR_NO_WORKER. */
    unsigned (*victim)(struct orr_sched *sched, unsigned thief);

    /* Takes a task for @thief out of the queue of @victim; NULL if there is
     * none. */
    struct orr_task *(*take)(struct orr_sched *sched, unsigned thief,
                             unsigned victim);

    /* Ends an attempt of @thief to steal. @busy: it got a task. */
    void (*conclude)(struct orr_sched *sched, unsigned thief, bool busy);
};

#endif

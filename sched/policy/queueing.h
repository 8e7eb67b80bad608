/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUEING_H
#define ORR_QUEUEING_H

#include "sched/sched.h"

/*
 * How a built-in policy queues its tasks, for runs that follow StarPU's locks
 * operation by operation (runtime/lockstep/). One of
 *
 *   all NULL   all workers share one queue
 *   steal      each worker has a queue, and steals from other workers
 *   planning   each worker has a queue, and a push plans the worker of a task
 *   buckets    buckets for all workers, and a queue for each
 *   late       one queue for all; its first task is bound to the best worker
 *              once the worker's own queue has room
 *   choose     a push chooses a worker, whose queue of pinned tasks gets the
 *              task
 *   calls      push and pop are called, and make StarPU's calls themselves
 *
 * Plug-ins have no such description, but "calls" if they use the locks of
 * workers (sched.h); each push or pop of others runs as a whole. The functions
 * below are called without the guard (sched/guard/guard.h), and lock-step
 * acquires exactly the locks that StarPU acquires around them.
 */
struct orr_queueing {
    const struct orr_sched_steal *steal;       /* or NULL */
    const struct orr_sched_planning *planning; /* or NULL */
    const struct orr_sched_buckets *buckets;   /* or NULL */
    const struct orr_sched_late *late;         /* or NULL */

    /* Returns the worker for @task; or NULL. */
    unsigned (*choose)(struct orr_sched *sched, const struct orr_task *task);

    bool calls;

    bool only_if_exact; /* runs follow the locks only with quirks=exact */
};

/* Push of a policy that plans, in the steps that StarPU takes under different
 * locks. */
struct orr_sched_planning {
    /* Whether costs depend on where the data of a task are. */
    bool (*asks_transfers)(struct orr_sched *sched);

    /* Whether begin() reads the queue of the worker, under a lock. */
    bool (*reads_queues)(struct orr_sched *sched);

    /* Returns when @worker, which can run @task, could begin it. */
    orr_time (*begin)(struct orr_sched *sched, const struct orr_task *task,
                      unsigned worker);

    /* Assigns @task to @worker, which could begin it at @begin, if this costs
     * less than @least. Is called for all workers that can run @task, in order.
     * Returns the least cost. */
    orr_time (*consider)(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker, orr_time begin, orr_time least);

    /* Adds @task to the planned work of its worker. */
    void (*plan)(struct orr_sched *sched, struct orr_task *task);

    /* Adds @task to the queue of its worker. */
    void (*queue)(struct orr_sched *sched, struct orr_task *task);
};

/* Pop of a policy with buckets, in steps. As in StarPU, each step runs under
 * the lock of the policy, and victim() and take() also under the victim's lock.
 */
struct orr_sched_buckets {
    /* Whether the policy learns the orders of its buckets, during pushes and
     * executions; else they are given. */
    bool (*learns)(struct orr_sched *sched);

    /* Whether the next push orders the buckets anew. */
    bool (*orders)(struct orr_sched *sched);

    /* Moves tasks to the queue of @worker. Returns their number. */
    unsigned (*fill)(struct orr_sched *sched, unsigned worker);

    /* Takes a task for @worker out of its queue; NULL if there is none. */
    struct orr_task *(*own)(struct orr_sched *sched, unsigned worker);

    /* Returns the first worker from which @thief may steal, @from workers
     * behind it or more, and adds to *@from; or ORR_NO_WORKER. */
    unsigned (*victim)(struct orr_sched *sched, unsigned thief, unsigned *from);

    /* Takes a task for @thief out of the queue of @victim; NULL if there is
     * none. */
    struct orr_task *(*take)(struct orr_sched *sched, unsigned thief,
                             unsigned victim);

    /* Returns the task @i of the queue of @worker if it is to be prefetched
     * now, and marks it as prefetched; else NULL. Without any lock. */
    struct orr_task *(*prefetched)(struct orr_sched *sched, unsigned worker,
                                   unsigned i);
};

enum { ORR_LATE_CANDIDATES = 5 }; /* at most */

/*
 * Push and pop of a policy that binds tasks to workers late, in the steps that
 * StarPU takes under different locks. Ready tasks are in one queue, whose first
 * task is bound. Or there is a second queue: the first task of the first queue
 * joins it, and the first tasks of the second queue are compared; the one that
 * would end first is bound.
 */
struct orr_sched_late {
    /* Whether the first queue has tasks. Without any lock. */
    bool (*has_ready)(struct orr_sched *sched);

    /* Adds @task to the first queue, behind the tasks of its priority. */
    void (*add_ready)(struct orr_sched *sched, struct orr_task *task);

    /* Takes the first task out of the first queue; NULL if that is empty. */
    struct orr_task *(*take_ready)(struct orr_sched *sched);

    /* Whether there is a second queue. */
    bool (*compares)(struct orr_sched *sched);

    /* Whether the data of a task are prefetched when it joins the first queue,
     * since all workers share a memory; else once it is bound. */
    bool (*prefetches_at_push)(struct orr_sched *sched);

    /* Adds @task to the second queue, behind the tasks of its priority. */
    void (*add_waiting)(struct orr_sched *sched, struct orr_task *task);

    /* Removes the tasks that are compared next from the second queue. Returns
     * their number. */
    unsigned (*take_waiting)(struct orr_sched *sched,
                             struct orr_task **candidates);

    /* Puts @task, which could not be bound, back into its queue, before the
     * tasks of its priority. */
    void (*put_back)(struct orr_sched *sched, struct orr_task *task);

    /* Assigns @task to the best worker. @transfers: the predicted durations of
     * its copies, by worker. Returns the least predicted end on any worker. */
    orr_time (*choose)(struct orr_sched *sched, struct orr_task *task,
                       const orr_time *transfers);

    /* Adds @task to the queue of its worker. Returns false if the queue is
     * full. */
    bool (*bind)(struct orr_sched *sched, struct orr_task *task);

    /* Whether the queue of @worker has tasks. Without any lock. */
    bool (*has_own)(struct orr_sched *sched, unsigned worker);

    /* Drops the plan of @worker, which is about to pop. */
    void (*drop_plan)(struct orr_sched *sched, unsigned worker);

    /* Takes a task for @worker out of its queue, which is not empty. */
    struct orr_task *(*take_own)(struct orr_sched *sched, unsigned worker);

    /* Adds @task to the plan of @worker. @transfer is the predicted duration of
     * its copies. */
    void (*plan)(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker, orr_time transfer);
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

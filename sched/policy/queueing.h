/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_QUEUEING_H
#define ORR_QUEUEING_H

#include "sched/sched.h"

/*
 * Where a built-in policy queues its tasks, for runs that play StarPU's locks
 * operation by operation (runtime/lockstep/). All workers share one queue; or
 * each worker has a queue of its own and steals from others; or each has one,
 * and a push plans for which; or there are buckets for all and a queue for
 * each; or tasks wait in one queue until the queue of the worker that suits the
 * first one has room; or a push only chooses the worker whose own queue, that
 * of tasks pinned to it, gets the task.
 *
 * Plug-ins have no such description, and run as a whole push or pop at a time:
 * the functions below are called without the guard (sched/guard/guard.h), and
 * have to take exactly the locks that StarPU takes.
 */
struct orr_queueing {
    const struct orr_sched_steal *steal;       /* or NULL */
    const struct orr_sched_planning *planning; /* or NULL */
    const struct orr_sched_buckets *buckets;   /* or NULL */
    const struct orr_sched_late *late;         /* or NULL */

    /* Returns the worker for @task; or NULL. All: one queue for all workers. */
    unsigned (*choose)(struct orr_sched *sched, const struct orr_task *task);

    bool only_if_exact; /* runs play the locks with quirks=exact alone */
};

/* Push of a policy that plans, in the steps that StarPU takes under different
 * locks. */
struct orr_sched_planning {
    /* Whether costs depend on where the data of a task are. */
    bool (*asks_transfers)(struct orr_sched *sched);

    /* Whether begin() goes through the queue of the worker, under a lock. */
    bool (*reads_queues)(struct orr_sched *sched);

    /* Returns when @worker, which can run @task, could begin it. */
    orr_time (*begin)(struct orr_sched *sched, const struct orr_task *task,
                      unsigned worker);

    /* Makes @worker that of @task, which it could begin at @begin, if this
     * costs less than @least. Is called for all workers that can run it, in
     * order. Returns the least cost. */
    orr_time (*consider)(struct orr_sched *sched, struct orr_task *task,
                         unsigned worker, orr_time begin, orr_time least);

    /* Adds @task to the planned work of its worker. */
    void (*plan)(struct orr_sched *sched, struct orr_task *task);

    /* Adds @task to the queue of its worker. */
    void (*queue)(struct orr_sched *sched, struct orr_task *task);
};

/* Pop of a policy with buckets, in the steps that StarPU takes under the lock
 * of the policy or, victim() and take(), under that of the victim as well. */
struct orr_sched_buckets {
    /* Whether the next push orders the buckets anew. */
    bool (*orders)(struct orr_sched *sched);

    /* Moves tasks to the queue of @worker. Returns how many. */
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
     * now, and notes that it is; else NULL. Without any lock. */
    struct orr_task *(*prefetched)(struct orr_sched *sched, unsigned worker,
                                   unsigned i);
};

enum { ORR_LATE_CANDIDATES = 5 }; /* at most */

/*
 * Push and pop of a policy that binds tasks to workers late, in the steps that
 * StarPU takes under different locks. Ready tasks are in one queue; the first
 * one is bound. Or it joins those that wait in a second queue, of which some
 * are compared, and the one that ends first is bound.
 */
struct orr_sched_late {
    /* Whether the first queue has tasks. Without any lock. */
    bool (*has_ready)(struct orr_sched *sched);

    /* Adds @task to the first queue, behind those of its priority. */
    void (*add_ready)(struct orr_sched *sched, struct orr_task *task);

    /* Takes the first task out of the first queue; NULL if that is empty. */
    struct orr_task *(*take_ready)(struct orr_sched *sched);

    /* Whether there is a second queue. */
    bool (*compares)(struct orr_sched *sched);

    /* Whether the data of a task are prefetched when it joins the first queue,
     * since all workers share a memory; else once it is bound. */
    bool (*prefetches_at_push)(struct orr_sched *sched);

    /* Adds @task to the second queue, behind those of its priority. */
    void (*add_waiting)(struct orr_sched *sched, struct orr_task *task);

    /* Takes the tasks that are compared next out of the second queue. Returns
     * how many. */
    unsigned (*take_waiting)(struct orr_sched *sched,
                             struct orr_task **candidates);

    /* Puts @task back into the queue from which it was taken to be bound,
     * before those of its priority. */
    void (*put_back)(struct orr_sched *sched, struct orr_task *task);

    /* Makes the worker that suits @task best its own. @transfers: how long its
     * data would take, as predicted before, by worker. Returns when the task
     * would end where it ends first. */
    orr_time (*choose)(struct orr_sched *sched, struct orr_task *task,
                       const orr_time *transfers);

    /* Adds @task to the queue of its worker. Returns false if that is full. */
    bool (*bind)(struct orr_sched *sched, struct orr_task *task);

    /* Whether the queue of @worker has tasks. Without any lock. */
    bool (*has_own)(struct orr_sched *sched, unsigned worker);

    /* @worker, which is about to pop, plans no task any more. */
    void (*forget)(struct orr_sched *sched, unsigned worker);

    /* Takes a task for @worker out of its queue, which is not empty. */
    struct orr_task *(*take_own)(struct orr_sched *sched, unsigned worker);

    /* Adds @task to what @worker plans. Its data take @transfer, as predicted
     * before. */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_TURNS_H
#define ORR_POLICY_TURNS_H

#include <stdbool.h>

/*
 * How a call of a concurrent policy with locks of workers (sched.h) takes turns
 * with other actors: a part of the interleaving of a run. In lock-step, each
 * function takes the ticks of StarPU's operation; it is called in the coroutine
 * of @caller, and returns when the operation is done. The plain interleaving
 * has no such table: there, lock.c and worker_locks.c do it.
 */
struct orr_caller;
struct orr_job;
struct orr_mutex;
struct orr_worker;

struct orr_policy_turns {
    void (*lock)(struct orr_caller *caller, struct orr_mutex *mutex);
    bool (*try_lock)(struct orr_caller *caller, struct orr_mutex *mutex);
    void (*unlock)(struct orr_caller *caller, struct orr_mutex *mutex);

    /* The state of the caller, a worker, is open while it is relaxed. It is
     * relaxed when it locks another worker; try_lock_worker() does it itself.
     */
    void (*relax)(struct orr_caller *caller, bool relaxed);
    void (*lock_worker)(struct orr_caller *caller, struct orr_worker *worker);
    bool (*try_lock_worker)(struct orr_caller *caller,
                            struct orr_worker *worker);
    void (*unlock_worker)(struct orr_caller *caller, struct orr_worker *worker);

    /* Return as orr_sched_wake(); wake_locked(): the caller holds the lock of
     * the worker. */
    bool (*wake)(struct orr_caller *caller, struct orr_worker *worker);
    bool (*wake_locked)(struct orr_caller *caller, struct orr_worker *worker);

    /* Questions: how long the kernel of @job takes; how long the copies of its
     * data to memory @node take, which looks at their locks. */
    void (*ask_model)(struct orr_caller *caller, struct orr_job *job);
    void (*ask_transfer)(struct orr_caller *caller, struct orr_job *job,
                         unsigned node);
    void (*prefetch)(struct orr_caller *caller, struct orr_job *job,
                     struct orr_worker *worker);
};

#endif

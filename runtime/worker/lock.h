/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCK_H
#define ORR_LOCK_H

#include "runtime/worker/concurrent.h"
#include "sched/host.h"

/* The locks and conditions of a concurrent policy (see sched.h) in simulated
 * time, and what a diagnosis asks about them. */

/* A queue of waiting callers, first come, first served. */
struct orr_callers {
    struct orr_caller *first, *last;
};

struct orr_policy_lock {
    struct orr_lock lock; /* first */
    struct orr_concurrency *concurrency;
    char *name;
    /* in struct orr_caller.locks; with more than 64, some share */
    uint64_t bit;
    bool held;
    unsigned owner; /* worker, or ORR_NO_WORKER */
    struct orr_callers waiters;
    struct orr_mutex turns; /* in lock-step, waiters are here */
};

struct orr_policy_cond {
    struct orr_cond cond; /* first */
    struct orr_concurrency *concurrency;
    char *name;
    struct orr_callers waiters;
    bool missed;        /* a signal came while no caller waited */
    orr_time missed_at; /* date of the last one, ns */
};

extern const struct orr_lock_ops orr_policy_lock_ops;

/* In the coroutine of @caller: acquire and release, without a choice of other
 * interleavings before or after. */
void orr_policy_lock_take(struct orr_lock *lock, struct orr_caller *caller);
void orr_policy_lock_give(struct orr_lock *lock, struct orr_caller *caller);

/* The reason why a caller waits in a policy. Strings are borrowed. */
struct orr_blocked {
    const char *call; /* "pop", ... */
    const char *lock; /* name of the lock that it waits for, or NULL */
    bool tries;       /* it tries @lock again and again instead */
    bool held;        /* @lock is held */
    unsigned owner;   /* holder of @lock: a worker, or ORR_NO_WORKER for the
                         application */
    const char *cond; /* name of the condition that it waits on, or NULL */
    bool missed;      /* copy of orr_policy_cond.missed */
    orr_time missed_at;
};

/* Whether the caller @index (a worker, or ORR_NO_WORKER for the application)
 * waits in the policy of @run. If it does, fills *@blocked. */
bool orr_run_blocked(const struct orr_run *run, unsigned index,
                     struct orr_blocked *blocked);

/* The name of the @i-th lock that the caller @index holds, or NULL past the
 * last. */
const char *orr_run_held_lock(const struct orr_run *run, unsigned index,
                              unsigned i);

#endif

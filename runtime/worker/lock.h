/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOCK_H
#define ORR_LOCK_H

#include "runtime/worker/concurrent.h"

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
    uint64_t
        bit; /* in struct orr_caller.locks; with more than 64, some share */
    bool held;
    unsigned owner; /* worker, or ORR_NO_WORKER */
    struct orr_callers waiters;
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

/* What a caller waits for in a policy. Strings are borrowed. */
struct orr_blocked {
    const char *call; /* "pop", ... */
    const char *lock; /* that it waits for, or NULL */
    bool tries;       /* it tries @lock again and again instead */
    bool held;        /* @lock is */
    unsigned owner;   /* holder of @lock: a worker, or ORR_NO_WORKER for the
                         application */
    const char *cond; /* that it waits on, or NULL */
    bool missed;      /* of struct orr_policy_cond */
    orr_time missed_at;
};

/* Whether @who (a worker, or ORR_NO_WORKER for the application) waits in the
 * policy of @run. If it does, fills *@blocked. */
bool orr_run_blocked(const struct orr_run *run, unsigned index,
                     struct orr_blocked *blocked);

/* The name of the @i-th lock that @who holds, or NULL past the last. */
const char *orr_run_held_lock(const struct orr_run *run, unsigned index,
                              unsigned i);

#endif

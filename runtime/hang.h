/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANG_H
#define ORR_HANG_H

#include <stdbool.h>

#include "models/units.h"
#include "runtime/orrery.h"

/*
 * Why a run cannot finish: who waits for whom.
 *
 * A run hangs if tasks are left and no event is (it is deadlocked, or has
 * stalled), or if events go on for ever without any task coming closer to its
 * end (a livelock). Neither depends on how long anything takes.
 */
enum orr_hang_kind {
    ORR_HANG_DEPENDENCY_CYCLE,   /* tasks wait for each other */
    ORR_HANG_TASKS_HELD,         /* the policy holds tasks while every worker
                                    that could run them sleeps */
    ORR_HANG_LOST_WAKEUP,        /* somebody sleeps although what it waits for
                                    is there: it was told too early */
    ORR_HANG_MEMORY,             /* all room on a GPU is pinned by those who
                                    wait for room */
    ORR_HANG_LOCK_CYCLE,         /* those who hold locks wait for each other */
    ORR_HANG_NEVER_OFFERED,      /* the policy gives a ready task to nobody, or
                                    nobody can run it */
    ORR_HANG_EVICTION_PING_PONG, /* livelock: bytes move, no task ends */
    ORR_HANG_SPINNING,           /* livelock: workers take turn after turn */
    ORR_HANG_NEVER_SUBMITTED,    /* what is waited for was never submitted */
    ORR_HANG_WINDOW,             /* submission waits for tasks that wait for
                                    others not yet submitted */
    ORR_HANG_COMMUTE_HELD,       /* an access to a datum is never given back */
    ORR_HANG_UNEXPLAINED,        /* none of these: a mistake of the runtime's */
    ORR_HANG_KINDS
};

/* Its stable name: "dependency-cycle", "tasks-held", ... */
const char *orr_hang_kind_name(enum orr_hang_kind kind);

/* What a worker was at. */
struct orr_hang_worker {
    const char *name; /* of the worker; borrowed from the run */
    char *doing;      /* "sleeps", "waits for the data of task 12 (gemm)" */
};

/* All strings are owned by it, unless said otherwise. */
struct orr_hang {
    enum orr_hang_kind kind;
    bool livelock;
    orr_time date; /* when it was found, since the run began */
    uint64_t tasks_left, tasks;
    char **chain; /* who waits for whom: sentences without a full stop,
                     NULL-terminated */
    unsigned worker_count;
    struct orr_hang_worker *workers; /* all of them */
};

/* Why @run, for which orr_run_wait() failed, hangs; NULL if it does not. It
 * belongs to @run. */
const struct orr_hang *orr_run_hang(const struct orr_run *run);

/* Finds out why @run, in which no event is left, hangs; for run.c. */
struct orr_hang *orr_hang_new(const struct orr_run *run);
void orr_hang_free(struct orr_hang *hang);

/* In one line, as error messages are. To be freed with g_free(). */
char *orr_hang_describe(const struct orr_hang *hang);

#endif

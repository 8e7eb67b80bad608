/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANG_H
#define ORR_HANG_H

#include <stdbool.h>

#include "models/base/units.h"
#include "runtime/orrery.h"

/*
 * The diagnosis of a run that cannot finish.
 *
 * A run hangs if tasks are left but no event is (it has stalled), or if events
 * follow for ever but no task ends (a livelock: watchdog.h). Neither depends on
 * durations.
 */
enum orr_hang_kind {
    ORR_HANG_DEPENDENCY_CYCLE,   /* tasks wait for each other */
    ORR_HANG_TASKS_HELD,         /* the policy holds tasks while every worker
                                    that could run them sleeps */
    ORR_HANG_LOST_WAKEUP,        /* an actor sleeps although its condition
                                    holds: it was signalled too early */
    ORR_HANG_MEMORY,             /* a GPU is full of buffers pinned by
                                    requests and tasks that wait for room */
    ORR_HANG_LOCK_CYCLE,         /* owners of locks wait for each other */
    ORR_HANG_NEVER_OFFERED,      /* the policy gives a ready task to no worker,
                                    or no worker can run it */
    ORR_HANG_EVICTION_PING_PONG, /* livelock: bytes move, no task ends */
    ORR_HANG_SPINNING,           /* livelock: workers take turn after turn */
    ORR_HANG_NEVER_SUBMITTED,    /* the awaited task was never submitted */
    ORR_HANG_WINDOW,             /* submission waits for tasks that wait for
                                    others not yet submitted */
    ORR_HANG_NOT_RELEASED,       /* the application keeps a datum */
    ORR_HANG_COMMUTE_HELD,       /* a commutative access is never released */
    ORR_HANG_PAUSED,             /* the application has paused the workers */
    ORR_HANG_UNEXPLAINED,        /* none of the above: a bug of the runtime */
    ORR_HANG_KINDS
};

/* Its stable name: "dependency-cycle", "tasks-held", ... */
const char *orr_hang_kind_name(enum orr_hang_kind kind);

/* Below, names (const) are borrowed from the run; sentences are owned. */

/* The state of a worker. */
struct orr_hang_worker {
    const char *name; /* name of the worker */
    char *doing;      /* "sleeps", "waits for the data of task 12 (gemm)" */
};

/* A queue: tasks that the policy holds, or requests that wait for a driver. */
struct orr_hang_queue {
    char *name; /* "policy eager", "fetches from RAM to CUDA0" */
    uint64_t count;
    char **entries; /* the first ORR_HANG_ENTRIES entries; NULL-terminated */
};

#define ORR_HANG_ENTRIES 100

/* A buffer on a GPU. */
struct orr_hang_buffer {
    char *data;        /* "A(2,1)" */
    uint64_t bytes;    /* bytes of the datum */
    const char *state; /* "owner", "shared", "invalid" */
    char *pinned;      /* the task or request that pins it; NULL: evictable */
};

struct orr_hang_memory {
    const char *name; /* name of the GPU */
    uint64_t capacity_bytes, used_bytes;
    unsigned count, pinned;          /* buffers in all, and pinned ones */
    struct orr_hang_buffer *buffers; /* the least recently used first */
};

/* One of the last decisions of policy and runtime. */
struct orr_hang_decision {
    orr_time date; /* since the run began */
    char *what;    /* "policy eager gives task 3 (gemm) to CUDA0" */
};

/* "@from waits for @to": indices of parties. */
struct orr_hang_wait {
    unsigned from, to;
    char *why;     /* as in the chain */
    bool in_chain; /* it is one of the waits in the chain */
};

struct orr_hang {
    enum orr_hang_kind kind;
    bool livelock;
    bool policy_acts; /* when asked once more, the policy gave a task, failed,
                         or had to wait, so that the run cannot continue */
    orr_time date; /* date at which the hang was found, since the run began */
    uint64_t tasks_left, tasks;
    char **chain; /* the chain of waits: sentences without a full stop */

    /* The wait-for graph: the chain and other parties. */
    unsigned party_count, wait_count;
    char **parties; /* "task 12 (gemm)", "room on CUDA0" */
    struct orr_hang_wait *waits;

    unsigned worker_count, queue_count, memory_count, decision_count;
    struct orr_hang_worker *workers;     /* all of them */
    struct orr_hang_queue *queues;       /* all queues that are not empty */
    struct orr_hang_memory *memories;    /* memories of GPUs */
    struct orr_hang_decision *decisions; /* the last one last */
};

/* Why @run, for which orr_run_wait() failed, hangs; borrowed; NULL if it does
 * not hang. */
const struct orr_hang *orr_run_hang(const struct orr_run *run);

/* For the runtime: diagnoses @run, in which no event is left. With @ask, the
 * policy is asked for tasks once more; these are lost. */
struct orr_hang *orr_hang_new(struct orr_run *run, bool ask);
/* For the runtime: diagnoses @run, which is in a livelock of this kind. */
struct orr_hang *orr_hang_new_livelock(struct orr_run *run,
                                       enum orr_hang_kind kind);

/* Blames the window, which held submission with so many tasks in flight:
 * without it, the tasks of @hang ended. */
void orr_hang_blame_window(struct orr_hang *hang, uint64_t in_flight);

void orr_hang_free(struct orr_hang *hang);

/* One line, for an error message. To be freed with g_free(). */
char *orr_hang_describe(const struct orr_hang *hang);

#endif

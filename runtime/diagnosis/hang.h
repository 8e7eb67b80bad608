/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HANG_H
#define ORR_HANG_H

#include <stdbool.h>

#include "models/base/units.h"
#include "runtime/orrery.h"

/*
 * Why a run cannot finish: who waits for whom.
 *
 * A run hangs if tasks are left and no event is (it is deadlocked, or has
 * stalled), or if events go on for ever without any task coming closer to its
 * end (a livelock: liveness.h). Neither depends on how long anything takes.
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

/* In what follows, names are borrowed from the run, sentences are owned. */

/* What a worker was at. */
struct orr_hang_worker {
    const char *name; /* of the worker */
    char *doing;      /* "sleeps", "waits for the data of task 12 (gemm)" */
};

/* Tasks that the policy holds, or requests that wait for a driver. */
struct orr_hang_queue {
    char *name; /* "policy eager", "fetches from RAM to CUDA0" */
    uint64_t count;
    char **entries; /* the first ORR_HANG_ENTRIES of them; NULL-terminated */
};

#define ORR_HANG_ENTRIES 100

/* A buffer on a GPU. */
struct orr_hang_buffer {
    char *data;        /* "A(2,1)" */
    uint64_t bytes;    /* of the datum */
    const char *state; /* "owner", "shared", "invalid" */
    char *pinned;      /* by whom; NULL: it may go */
};

struct orr_hang_memory {
    const char *name; /* of the GPU */
    uint64_t capacity_bytes, used_bytes;
    unsigned count, pinned; /* buffers; of them, those that may not go */
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
    bool in_chain; /* it is what the chain tells */
};

struct orr_hang {
    enum orr_hang_kind kind;
    bool livelock;
    orr_time date; /* when it was found, since the run began */
    uint64_t tasks_left, tasks;
    char **chain; /* who waits for whom, sentences without a full stop */

    /* The same as a graph, with what else waits. */
    unsigned party_count, wait_count;
    char **parties; /* "task 12 (gemm)", "room on CUDA0" */
    struct orr_hang_wait *waits;

    unsigned worker_count, queue_count, memory_count, decision_count;
    struct orr_hang_worker *workers;     /* all of them */
    struct orr_hang_queue *queues;       /* those that are not empty */
    struct orr_hang_memory *memories;    /* of GPUs */
    struct orr_hang_decision *decisions; /* the last one last */
};

/* Why @run, for which orr_run_wait() failed, hangs; NULL if it does not. It
 * belongs to @run. */
const struct orr_hang *orr_run_hang(const struct orr_run *run);

/*
 * Finds out why @run, in which no event is left, hangs; for the runtime.
 * @ask: the policy may be asked for tasks once more, which are then lost.
 */
struct orr_hang *orr_hang_new(struct orr_run *run, bool ask);
/* The same of one that is in a livelock of that kind, which goes on. */
struct orr_hang *orr_hang_new_livelock(struct orr_run *run,
                                       enum orr_hang_kind kind);

/* The tasks of @hang ended when they no longer had to wait for @window. */
void orr_hang_blame_window(struct orr_hang *hang, uint64_t window);

void orr_hang_free(struct orr_hang *hang);

/* In one line, as error messages are. To be freed with g_free(). */
char *orr_hang_describe(const struct orr_hang *hang);

#endif

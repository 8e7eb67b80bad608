/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STATE_H
#define ORR_STATE_H

#include "models/platform/platform.h"
#include "runtime/data/request.h"
#include "runtime/lockstep/lock_walk.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/worker/worker.h"

/* The state of lock-step in a run and in each worker. The state in each actor
 * is in lockstep.h. */
struct orr_queue_scanning;
struct orr_stream;

/* Locks that all workers of the reference share. */
enum orr_common_lock {
    ORR_LOCK_READY,     /* the number of ready tasks (tasks.c) */
    ORR_LOCK_SUBMITTED, /* the number of submitted tasks (tasks.c) */
    ORR_LOCK_FINISHED,  /* signals that no task is left (tasks.c) */
    ORR_LOCK_ARCHS,     /* the kinds of workers that have models */
    ORR_LOCK_STARTED,   /* started kernels */
    ORR_LOCK_DRIVERS,   /* which workers drive which memory */
    ORR_LOCK_POLICY,    /* the queue of the policy */
    ORR_LOCK_DECISION,  /* the choice of a worker (component_mct.c) */
    ORR_LOCK_UNKNOWN,   /* tasks without a model (component_eager.c) */
    ORR_LOCK_LEARNING,  /* data that the policy has learnt (heteroprio.c) */
    ORR_LOCK_GRAPH,     /* the tasks and their successors (graph.c) */
    ORR_LOCK_DROPPED,   /* tasks that have left the graph */
    ORR_COMMON_LOCKS
};

/* The lists of requests in one direction, in the order of a scan: see
 * queue_scan.h. Masks have a bit for each peer. */
struct orr_lists {
    /* locks of RAM's lists. Their masks are valid for all nodes: a list is
     * skipped while copies are in flight with these peers */
    struct orr_walk_lock *locks;
    uint32_t *put_back; /* by list: while copies are in flight with these peers,
                           a scan of the list puts back the requests of the list
                           before it */
};

/* Of a run: orr_engine.interleaved. */
struct orr_lockstep_run {
    struct orr_clock clock; /* first */
    struct orr_run *run;
    struct orr_mutex common[ORR_COMMON_LOCKS];
    /* by node: lock of the list of its drivers */
    struct orr_mutex nodes[ORR_MAX_NODES];
    struct orr_lists lists[ORR_DIRECTIONS]; /* lists of requests */
    /* locks of RAM's lists: [2 * peer] waiting, [2 * peer + 1] in flight */
    struct orr_mutex list_locks[ORR_DIRECTIONS][2 * ORR_MAX_NODES];
    unsigned queued;    /* tasks in the shared queue */
    unsigned uncounted; /* tasks that have ended, and internal tasks that are
                           about to end, as long as the reference still counts
                           them as submitted */
    GPtrArray *kernel_actors; /* see kernel_ended() in interleaving.c */
    bool kernel_woke; /* unused result of a wake-up by one of @kernel_actors */
    GHashTable *kernel_locks;    /* mutex of the performance model, by kernel */
    orr_time *transfers;         /* predicted by each worker or, the last, by
                                    the application, for each worker; NULL if
                                    the policy does not bind late */
    struct orr_stream **streams; /* [from * nodes + to]; NULL: none yet */
};

static inline struct orr_lockstep_run *
orr_lockstep_run(const struct orr_engine *engine)
{
    return engine->interleaved;
}

/* Ticks to signal a condition under its own lock. */
enum { ORR_SIGNAL_TICKS = 3 };

/* Of a worker: orr_worker.interleaved. */
struct orr_lockstep_worker {
    struct orr_mutex lock;  /* lock of its state: worker_state.h */
    struct orr_mutex queue; /* protects its queue, if the policy binds late */
    struct orr_mutex plan;  /* protects the predicted end of the tasks that it
                               has popped, if the policy binds late */
    bool closed;            /* its state is closed to other actors */
    /* actors that wait for its state to open */
    struct orr_actor *first_waiter, *last_waiter;
    bool awaits_kernel; /* its driver waits for a kernel: it has two conditions
                           that the end of a kernel signals */
    unsigned locks_passed; /* number of locks of its task's data that it has
                              passed, in order of access */
    struct orr_queue_scanning *scanning; /* under way, or NULL */
};

static inline struct orr_lockstep_worker *
orr_lockstep_worker(const struct orr_worker *worker)
{
    return worker->interleaved;
}

static inline struct orr_mutex *
orr_worker_state_lock(const struct orr_worker *worker)
{
    return &orr_lockstep_worker(worker)->lock;
}

#endif

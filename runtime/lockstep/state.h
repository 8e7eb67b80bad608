/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STATE_H
#define ORR_STATE_H

#include "models/platform/platform.h"
#include "runtime/data/request.h"
#include "runtime/lockstep/lock_walk.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/worker/worker.h"

/*
 * What lock-step keeps of a run and of each worker, beside what lockstep.h
 * keeps of each actor.
 */
struct orr_stream;

/* Locks that all workers of the reference share. */
enum orr_common_lock {
    ORR_LOCK_READY,     /* counts tasks that are ready (tasks.c), */
    ORR_LOCK_SUBMITTED, /* or submitted, */
    ORR_LOCK_FINISHED,  /* and tells when there are none */
    ORR_LOCK_ARCHS,     /* the kinds of workers that have models */
    ORR_LOCK_STARTED,   /* kernels */
    ORR_LOCK_DRIVERS,   /* which workers drive which memory */
    ORR_LOCK_POLICY,    /* the queue of the policy */
    ORR_COMMON_LOCKS
};

/* Those of one direction, in the order in which they are looked at. */
struct orr_lists {
    /* The locks, for RAM; which lists are skipped while copies are in flight
     * with which peers, a bit each, for all nodes. */
    struct orr_walk_lock *gates;
    uint32_t *put_back; /* while copies are in flight with these, those of the
                           list before are put back when it is looked at */
};

/* Of a run: orr_engine.interleaved. */
struct orr_lockstep_run {
    struct orr_clock clock; /* first */
    struct orr_mutex common[ORR_COMMON_LOCKS];
    struct orr_mutex nodes[ORR_MAX_NODES];  /* of the drivers of each */
    struct orr_lists lists[ORR_DIRECTIONS]; /* of requests */
    struct orr_mutex list_locks[ORR_DIRECTIONS]
                               [2 * ORR_MAX_NODES]; /* of RAM,
                by twice the peer; those in flight one further */
    unsigned queued;             /* tasks in the queue of all workers */
    GPtrArray *helpers;          /* helper.h */
    bool helped;                 /* the last of them woke a worker: not used */
    GHashTable *kernel_locks;    /* by kernel: mutexes of models */
    struct orr_stream **streams; /* [from * nodes + to]; NULL: none yet */
};

static inline struct orr_lockstep_run *
orr_lockstep_run(const struct orr_engine *engine)
{
    return engine->interleaved;
}

/* Of a worker: orr_worker.interleaved. */
struct orr_lockstep_worker {
    struct orr_mutex lock; /* of its state, as others see it */
    bool closed;           /* to others: see worker_state.h */
    struct orr_actor *first_looker, *last_looker; /* actors that wait to look */
    unsigned locks_had;    /* of the data of its task, one after the other */
    struct orr_look *look; /* that it takes at lists of requests, or NULL */
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

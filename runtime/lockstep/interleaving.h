/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVING_H
#define ORR_INTERLEAVING_H

#include "runtime/data/request.h"
#include "runtime/engine/actor.h"
#include "runtime/lockstep/operations.h"
#include "runtime/lockstep/queue_scan.h"

/*
 * How what happens at one date goes on in a run: by rounds (turns.h), or, in
 * most, each actor until it sleeps.
 *
 * By rounds go runs as in the reference (--model quirks and overheads) that
 * have CPU workers, of policies that say how they push and pop: with a queue
 * for all (orr_sched_ops.central), or with one for each worker, who rob each
 * other (orr_sched_ops.steal). There, many actors meet at one date and at a few
 * locks, and who comes first is a matter of single operations. The same without
 * CPU workers, where it is of little weight for what it costs, if asked for
 * (quirks=exact). Not so, if somebody else decides what comes first
 * (runtime/engine/decision.h): there are more orders than operations would
 * tell.
 *
 * Most of what is done is the same; where it differs, a run has it done by its
 * manner, which is chosen when it is set up.
 */
struct orr_worker;

struct orr_interleaving {
    orr_procedure *cpu_loop, *gpu_loop; /* of workers */

    /* Calls a turn of progress: see orr_progress_once(). */
    void (*call_turn)(struct orr_actor *actor, struct orr_worker *worker,
                      bool *progressed);

    /* Who drives @node is to take another turn: see orr_run_wake_node(). */
    void (*wake_node)(struct orr_run *run, unsigned node);
    void (*signal_node)(struct orr_run *run, unsigned node);

    /* Posts @request to its node: it waits there, whose drivers are told. */
    void (*post)(struct orr_run *run, struct orr_request *request);

    /* One more buffer of the task that @worker is fetching is there. */
    void (*buffer_arrived)(struct orr_worker *worker);

    /* The policy wakes @worker: see orr_sched_wake(). */
    bool (*wake)(struct orr_worker *worker);
};

/* What the actors of a run by rounds share. */
struct orr_shared {
    struct orr_mutex common[ORR_COMMON_LOCKS];
    struct orr_mutex nodes[ORR_MAX_NODES];  /* who drives each */
    struct orr_lists lists[ORR_DIRECTIONS]; /* of requests */
    struct orr_mutex list_locks[ORR_DIRECTIONS]
                               [2 * ORR_MAX_NODES]; /* of RAM,
                by twice the peer; those in flight one further */
    unsigned queued;    /* tasks in the queue of all */
    bool pushing;       /* a push is under way, which is to wake nobody */
    GPtrArray *helpers; /* helper.h */
    bool helped;        /* the last of them woke somebody: of no interest */
};

/* Chooses the manner of @run, of which all else is set up but the actors have
 * not started; prepares them for it. */
void orr_interleaving_choose(struct orr_run *run);

/* Frees what it took. */
void orr_interleaving_clear(struct orr_run *run);

#endif

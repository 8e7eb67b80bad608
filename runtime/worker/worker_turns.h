/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKER_TURNS_H
#define ORR_WORKER_TURNS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/engine/interleaving.h"

/* How the actors of a run take turns where workers and the application are
 * concerned: a part of its interleaving (engine/interleaving.h), plain or in
 * lock-step. */
struct orr_data;
struct orr_job;
struct orr_policy_turns; /* runtime/worker/policy_turns.h */
struct orr_run;
struct orr_turn;
struct orr_worker;

/* The place where an actor finds the lock of a datum taken; it decides how the
 * actor waits. */
enum orr_lock_site {
    ORR_LOCK_AT_ISSUE, /* a driver has allocated a buffer and is about to copy
                        */
    ORR_LOCK_AT_END,   /* a worker releases the data of its task */
};

/* How far an interleaving scans the lists of requests of a group. */
enum orr_scan_mode {
    ORR_SCAN_PENDING, /* to the requests in flight with the queue's peer */
    ORR_SCAN_WAITING, /* to the requests that wait in the queue */
    ORR_SCAN_RESUME,  /* no further; the queue becomes the last one scanned */
    ORR_SCAN_SKIP     /* no further; the rest of the group is skipped */
};

struct orr_worker_turns {
    /* size in bytes of the interleaving's state for each worker, zeroed */
    size_t worker_bytes;

    /* begin() prepares the interleaving's state in the run; end() frees this
     * state. */
    void (*begin)(struct orr_run *run);
    void (*end)(struct orr_run *run);

    /* Counts a buffer that has arrived for the task that @worker fetches. NULL
     * if plain. */
    void (*buffer_arrived)(struct orr_worker *worker);

    /* Signals the worker of a GPU that a kernel has ended. */
    void (*kernel_ended)(struct orr_worker *worker);

    /* Pushes @job, a ready kernel, to the policy. Returns whether it calls.
     * @steps_pushes: push() also places the task, prefetches its data and wakes
     * workers. */
    bool steps_pushes;
    bool (*push)(struct orr_actor *actor, struct orr_run *run,
                 struct orr_job *job);

    /* Pops a task from the policy, then does orr_worker_end_pop(). Returns
     * whether it calls; if not, worker->found is set to whether there is
     * something to do. */
    bool (*pop)(struct orr_worker *worker);

    /* In a turn of progress: scans lists of requests, and returns whether it
     * calls; begins the next group out of the node. NULL if plain. */
    bool (*scan)(struct orr_actor *actor, struct orr_turn *turn,
                 enum orr_scan_mode mode);
    enum orr_next (*find_group)(struct orr_actor *actor, struct orr_turn *turn);

    /* Whether parts of a turn of progress that find nothing are skipped. */
    bool skips_idle;

    /* Calls to wait, if @actor has to, for the lock of @data. Returns whether
     * it calls. */
    bool (*wait_for_lock)(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_data *data, enum orr_lock_site site);

    /* The data of the task of @worker have arrived: calls to wait for their
     * locks if need be. Returns whether it calls. NULL if plain. */
    bool (*wait_for_locks)(struct orr_worker *worker);

    /* await_window(): the application's actor begins to wait until the window
     * (window.h) admits one more task. notify_window(): wakes it if the window
     * has opened; returns whether it did. NULL if plain. */
    void (*await_window)(struct orr_run *run);
    bool (*notify_window)(struct orr_run *run);

    /* the calls of a policy that has locks of workers; NULL if plain */
    const struct orr_policy_turns *policy;
};

#endif

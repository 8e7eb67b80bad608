/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVING_H
#define ORR_INTERLEAVING_H

#include <stdbool.h>
#include <stddef.h>

#include "models/base/units.h"

/*
 * How the actors that run at one date take turns.
 *
 * Plain: an actor runs until it sleeps; then the next one runs. engine.h and
 * actor.h implement this inline for an engine whose interleaving is NULL; the
 * members that concern a run are in runtime/interleaving_plain.h.
 *
 * Lock-step (lockstep/lockstep.h): actors advance together, one elementary
 * operation of the reference at a time.
 *
 * Ordinary code is the same in both. It marks trace points with orr_point()
 * (engine.h), and sleeps, waits, signals and locks with the functions of
 * actor.h.
 */
struct orr_actor;
struct orr_copy;
struct orr_data;
struct orr_engine;
struct orr_event;
struct orr_job;
struct orr_links;
struct orr_mutex;
struct orr_network;
struct orr_run;
struct orr_spinlock;
struct orr_store;
struct orr_turn;
struct orr_worker;

/* The results of a procedure of an actor: see actor.h. */
enum orr_next {
    ORR_DONE,     /* the procedure has ended: its caller continues */
    ORR_CONTINUE, /* run the procedure on top of the stack now */
    ORR_ASLEEP,   /* an event will resume the actor */
};

/* Trace points: places in ordinary code. In parentheses: the type of the
 * object, if there is one. */
enum orr_point {
    ORR_POINT_TASK_SUBMITTED, /* its accesses are in order */
    ORR_POINT_TASK_READY,     /* a task is about to be pushed */
    ORR_POINT_MODEL_FIRST,   /* a policy asks how long a task takes (orr_job) */
    ORR_POINT_MODEL_ASKED,   /* the policy asks again, for another worker
                                (orr_job) */
    ORR_POINT_FETCHES_ASKED, /* all data of a popped task are requested */
    ORR_POINT_NO_ROOM,       /* a worker pops no task (orr_worker) */
    ORR_POINT_KERNEL_BEGINS, /* a kernel starts on a free device (orr_job) */
    ORR_POINT_KERNEL_BEHIND, /* a kernel is queued behind another one (orr_job)
                              */
    ORR_POINT_KERNEL_QUEUED, /* a kernel is about to go to the executor */
    ORR_POINT_KERNEL_FOLLOWS,  /* a kernel starts, since the one before it has
                                  ended */
    ORR_POINT_TASK_ENDS,       /* the kernel of a task has ended */
    ORR_POINT_DATA_RELEASED,   /* an ending task has released its data (orr_job)
                                */
    ORR_POINT_SUCCESSOR_FOUND, /* an ended task is about to notify a successor
                                */
    ORR_POINT_SUCCESSOR_NOTIFIED, /* an ended task has notified one successor */
    ORR_POINT_SUCCESSORS_NOTIFIED, /* an ended task has notified all successors
                                    */
    ORR_POINT_EMPTY_TASK,       /* a task without a kernel is ready, and ends */
    ORR_POINT_WONT_USE_BEGINS,  /* wont_use: the first internal task begins */
    ORR_POINT_WONT_USE_HAS,     /* wont_use: it is about to acquire its datum */
    ORR_POINT_WONT_USE_LISTS,   /* wont_use: it lists buffers to evict first */
    ORR_POINT_WONT_USE_SUBMITS, /* wont_use: it submits a second task */
    ORR_POINT_WONT_USE_RELEASES, /* wont_use: it has released the datum */
    ORR_POINT_WONT_USE_ENDS,     /* wont_use: the second task ends */
    ORR_POINT_DRIVER_LOCK,       /* a call to the GPU driver takes its lock */
    ORR_POINT_DRIVER_CALL,       /* the call begins */
    ORR_POINT_DRIVER_RETURN,     /* the call has ended */
    ORR_POINT_REQUEST_POSTED,    /* a request goes to its node */
    ORR_POINT_REQUEST_WAITS, /* a request has entered a queue (orr_request) */
    ORR_POINT_REQUEST_ALLOCATES, /* the destination of a request is about to be
                                    allocated */
    ORR_POINT_COPY_QUEUED,   /* the copy of a request is queued (orr_request) */
    ORR_POINT_REQUESTS_LEFT, /* requests were put back into their queue */
    ORR_POINT_COPY_LAUNCHED, /* a copy that depended on another starts */
    ORR_POINT_LOCKED,        /* a lock is locked for some time (orr_spinlock) */
    ORR_POINT_LOCKED_BRIEFLY, /* a lock is locked and unlocked at one date
                                 (orr_spinlock) */
    ORR_POINT_UNLOCKED,       /* a lock is unlocked (orr_spinlock) */
    ORR_POINT_SPIN_BEGINS,    /* progress instead of waiting (orr_worker) */
    ORR_POINT_SPIN_ENDS,      /* the end of that progress (orr_worker) */
    ORR_POINTS
};

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

struct orr_interleaving {
    /* Sizes in bytes of the interleaving's state, which the core allocates: for
     * the run, for each actor and each worker, zeroed; and behind each copy,
     * not zeroed. */
    size_t run_bytes, actor_bytes, worker_bytes, copy_bytes;

    /*
     * Implement the functions with these names in engine.h and actor.h; NULL if
     * plain. The date of sleep() is absolute. pass(): the procedure continues
     * once the operations of the trace points and acts before it have been
     * played.
     */
    bool (*step)(struct orr_engine *engine);
    void (*schedule)(struct orr_engine *engine, orr_time date,
                     struct orr_event *event);
    void (*schedule_end)(struct orr_engine *engine, double seconds,
                         struct orr_event *event);
    void (*cancel_all)(struct orr_engine *engine);
    void (*point)(struct orr_engine *engine, enum orr_point point,
                  void *object);
    void (*act)(struct orr_engine *engine, void (*act)(void *arg), void *arg);
    void (*init_actor)(struct orr_actor *actor);
    void (*clear_actor)(struct orr_actor *actor);
    enum orr_next (*pass)(struct orr_actor *actor);
    enum orr_next (*sleep)(struct orr_actor *actor, orr_time date);
    enum orr_next (*wait)(struct orr_actor *actor);
    enum orr_next (*wait_advance)(struct orr_actor *actor);
    void (*suspend)(struct orr_actor *actor);
    void (*resume)(struct orr_actor *actor);
    void (*signal)(struct orr_actor *actor);
    void (*clear_signal)(struct orr_actor *actor);
    enum orr_next (*lock)(struct orr_mutex *mutex, struct orr_actor *actor);

    /* In a procedure that waits for a lock of spinlock.h: keeps waiting, or
     * ends. *@locked is private state, false at first. NULL if plain. */
    enum orr_next (*spin)(struct orr_actor *actor, struct orr_spinlock *lock,
                          bool *locked);

    /* The members below are set in both interleavings unless noted. begin()
     * prepares the interleaving's state in the run; end() frees this state. */
    void (*begin)(struct orr_run *run);
    void (*end)(struct orr_run *run);

    /* Makes the workers that drive @node take another turn: see run.h. The
     * plain one is asked for RAM alone. */
    void (*wake_node)(struct orr_run *run, unsigned node);
    void (*signal_node)(struct orr_run *run, unsigned node);

    /* Counts a buffer that has arrived for the task that @worker fetches. NULL
     * if plain. */
    void (*buffer_arrived)(struct orr_worker *worker);

    /* Signals the worker of a GPU that a kernel has ended. */
    void (*kernel_ended)(struct orr_worker *worker);

    /* Pushes @job, a ready kernel, to the policy. Returns whether it calls.
     * @plays_pushes: push() also places the task, prefetches its data and wakes
     * workers. */
    bool plays_pushes;
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

    /* Whether @lock is still taken, so that a worker keeps making progress
     * instead of waiting for it. */
    bool (*is_locked)(const struct orr_spinlock *lock,
                      const struct orr_engine *engine);

    /* The data of the task of @worker have arrived: calls to wait for their
     * locks if need be. Returns whether it calls. NULL if plain. */
    bool (*wait_for_locks)(struct orr_worker *worker);

    /* launch() starts @copy, which awaits no other copy any more; copy_ended()
     * does the work that follows its end. */
    void (*launch)(struct orr_store *store, struct orr_copy *copy);
    void (*copy_ended)(struct orr_store *store, struct orr_copy *copy);

    /* The links of the machine: see network.h. */
    struct orr_network *(*network)(struct orr_run *run,
                                   const struct orr_links *links);

    /* await_window(): the application's actor begins to wait until the window
     * (window.h) admits one more task. notify_window(): wakes it if the window
     * has opened; returns whether it did. NULL if plain. */
    void (*await_window)(struct orr_run *run);
    bool (*notify_window)(struct orr_run *run);
};

#endif

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
 * actor.h implement this inline for an engine whose interleaving is NULL.
 *
 * Lock-step (lockstep/lockstep.h): actors advance together, one elementary
 * operation of the reference at a time.
 *
 * Ordinary code is the same in both. It marks trace points with orr_point()
 * (engine.h), and sleeps, waits, signals and locks with the functions of
 * actor.h. Where data or workers are concerned, it calls the functions of the
 * tables of data/data_turns.h and worker/worker_turns.h.
 */
struct orr_actor;
struct orr_engine;
struct orr_event;
struct orr_mutex;
struct orr_spinlock;

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
    ORR_POINT_KERNEL_NOTIFIES, /* before it starts, a call notifies the policy
                                */
    ORR_POINT_KERNEL_NOTIFIED, /* the call has ended: the rest of KERNEL_BEGINS
                                  (orr_job) */
    ORR_POINT_KERNEL_BEHIND,  /* a kernel is queued behind another one (orr_job)
                               */
    ORR_POINT_KERNEL_QUEUED,  /* a kernel is about to go to the executor */
    ORR_POINT_AWAIT_BEGINS,   /* a driver begins to wait for its kernel
                                 (orr_worker) */
    ORR_POINT_AWAIT_ENDS,     /* it finds that it has ended (orr_worker) */
    ORR_POINT_KERNEL_FOLLOWS, /* a kernel starts, since the one before it has
                                 ended */
    ORR_POINT_TASK_ENDS,      /* the kernel of a task has ended */
    ORR_POINT_DATA_RELEASED,  /* an ending task has released its data (orr_job)
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

struct orr_interleaving {
    /* Sizes in bytes of the interleaving's state, zeroed, for the engine and
     * for each actor. */
    size_t run_bytes, actor_bytes;

    /*
     * Implement the functions with these names in engine.h and actor.h. The
     * date of sleep() is absolute. pass(): the procedure continues once the
     * operations of the trace points and acts before it have been executed.
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
     * ends. *@locked is private state, false at first. */
    enum orr_next (*spin)(struct orr_actor *actor, struct orr_spinlock *lock,
                          bool *locked);
};

#endif

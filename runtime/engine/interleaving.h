/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_INTERLEAVING_H
#define ORR_INTERLEAVING_H

#include <stdbool.h>
#include <stddef.h>

#include "models/base/units.h"

/*
 * How the actors that run at one date take turns.
 *
 * Plain: an actor runs until it sleeps; then comes the next. Its part of most
 * operations stands inline in engine.h and actor.h, and an engine whose
 * interleaving is NULL is plain. What else it does is in
 * worker/interleaving_plain.c.
 *
 * Lock-step (lockstep/lockstep.h): actors advance together, one elementary
 * operation of the reference at a time.
 *
 * Ordinary code does not know which of both there is. It says where it is, by
 * orr_point() (engine.h), and sleeps, waits, signals and takes locks by the
 * functions of actor.h.
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
struct orr_turn;
struct orr_worker;

/* What a procedure of an actor returns: see actor.h. */
enum orr_next {
    ORR_DONE,     /* the procedure has ended: its caller continues */
    ORR_CONTINUE, /* run what is on top of the stack now */
    ORR_ASLEEP,   /* an event will resume the actor */
};

/* Where ordinary code may be; behind each, the type of the object. */
enum orr_point {
    ORR_POINT_TASK_SUBMITTED,    /* its accesses are in order; none */
    ORR_POINT_FETCHES_ASKED,     /* all data of a popped task are; none */
    ORR_POINT_NO_ROOM,           /* a worker asks for no task; orr_worker */
    ORR_POINT_KERNEL_BEGINS,     /* on a free device; orr_job */
    ORR_POINT_KERNEL_BEHIND,     /* or behind another kernel; orr_job */
    ORR_POINT_KERNEL_QUEUED,     /* the executor is about to be told; none */
    ORR_POINT_KERNEL_FOLLOWS,    /* that one is the first now; none */
    ORR_POINT_TASK_ENDS,         /* its kernel has; none */
    ORR_POINT_DATA_RELEASED,     /* by a task that ends; orr_job */
    ORR_POINT_SUCCESSOR_TOLD,    /* that a task has ended; none */
    ORR_POINT_SUCCESSORS_TOLD,   /* all of them; none */
    ORR_POINT_WONT_USE_BEGINS,   /* a first internal task; none */
    ORR_POINT_WONT_USE_HAS,      /* is about to get its datum; none */
    ORR_POINT_WONT_USE_LISTS,    /* the buffers to be evicted first; none */
    ORR_POINT_WONT_USE_SUBMITS,  /* a second task; none */
    ORR_POINT_WONT_USE_RELEASES, /* the datum; none */
    ORR_POINT_WONT_USE_ENDS,     /* the second task; none */
    ORR_POINT_DRIVER_LOCK,       /* a call to the GPU driver is locked; none */
    ORR_POINT_DRIVER_CALL,       /* begins; none */
    ORR_POINT_DRIVER_RETURN,     /* and has ended; none */
    ORR_POINT_REQUEST_POSTED,    /* to its node; none */
    ORR_POINT_REQUEST_WAITS,     /* in a queue from now on; orr_request */
    ORR_POINT_REQUEST_ALLOCATES, /* its destination; none */
    ORR_POINT_COPY_QUEUED,       /* of a request; orr_request */
    ORR_POINT_REQUESTS_LEFT,     /* were put back into their queue; none */
    ORR_POINT_COPY_LAUNCHED,     /* that waited for another; none */
    ORR_POINT_LOCK_HELD,         /* for some time; orr_spinlock */
    ORR_POINT_LOCK_TOUCHED,      /* for a moment; orr_spinlock */
    ORR_POINT_LOCK_LEFT,         /* after either; orr_spinlock */
    ORR_POINT_SPIN_BEGINS,       /* progress instead of a lock; orr_worker */
    ORR_POINT_SPIN_ENDS,         /* orr_worker */
    ORR_POINTS
};

/* Where an actor meets the lock of a datum, and how it waits for it differs. */
enum orr_lock_site {
    ORR_LOCK_AT_ISSUE, /* a driver that has allocated goes on to copy */
    ORR_LOCK_AT_END,   /* a worker gives back the data of its task */
};

/* At which lists an interleaving looks, all those before them included. */
enum orr_look_at {
    ORR_LOOK_PENDING, /* requests in flight with the peer of the group's line */
    ORR_LOOK_WAITING, /* those of the line, which wait */
    ORR_LOOK_AGAIN,   /* none: the line is the last one looked at */
    ORR_LOOK_NOWHERE  /* none: not at the other lists of the group either */
};

struct orr_interleaving {
    /* Its own state, allocated zeroed by the core: of a run, of each actor and
     * each worker, and behind each copy. */
    size_t run_bytes, actor_bytes, worker_bytes, copy_bytes;

    /*
     * Of engine.h and actor.h, under their names there; NULL if plain. The
     * dates of sleep() are absolute. pass(): a procedure goes on once what the
     * points and the acts before it take has been played.
     */
    bool (*step)(struct orr_engine *engine);
    void (*schedule)(struct orr_engine *engine, orr_time date,
                     struct orr_event *event);
    void (*schedule_end)(struct orr_engine *engine, double seconds,
                         struct orr_event *event);
    void (*forget)(struct orr_engine *engine);
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
    enum orr_next (*take)(struct orr_mutex *mutex, struct orr_actor *actor);

    /* In a procedure that waits for a lock of spinlock.h: once more. @locked
     * is its own, false at first. NULL if plain. */
    enum orr_next (*spin)(struct orr_actor *actor, struct orr_spinlock *lock,
                          bool *locked);

    /* The rest is set in both. Gets its state ready, and frees what is in it.
     */
    void (*begin)(struct orr_run *run);
    void (*end)(struct orr_run *run);

    /* The workers that drive @node take another turn: see run.h. */
    void (*wake_node)(struct orr_run *run, unsigned node);
    void (*signal_node)(struct orr_run *run, unsigned node);

    /* One more buffer of the task that @worker is fetching is there. */
    void (*buffer_arrived)(struct orr_worker *worker);

    /* A GPU has executed a kernel: its worker is told. */
    void (*kernel_ended)(struct orr_worker *worker);

    /* @job, a kernel, is ready: the policy gets it. Returns whether it calls.
     */
    bool (*push)(struct orr_actor *actor, struct orr_run *run,
                 struct orr_job *job);

    /* Asks the policy for a task, and goes on to orr_worker_was_given().
     * Returns whether it calls; if not, worker->found is whether there is
     * something to do. */
    bool (*pop)(struct orr_worker *worker);

    /* In a turn of progress: looks at lists of requests; returns whether it
     * calls. Turns to the next group out of the node, as find_group() in
     * progress.c does. NULL if plain. */
    bool (*look)(struct orr_actor *actor, struct orr_turn *turn,
                 enum orr_look_at at);
    enum orr_next (*find_group)(struct orr_actor *actor, struct orr_turn *turn);

    /* Whether what would find nothing in a turn of progress is skipped. */
    bool skips_idle;

    /* Whether @actor, which meets the lock of @data, has to wait: calls then.
     */
    bool (*meets_lock)(struct orr_actor *actor, struct orr_worker *worker,
                       struct orr_data *data, enum orr_lock_site site);

    /* Whether a worker that made progress instead of waiting for @lock has to
     * go on so. */
    bool (*is_busy)(const struct orr_spinlock *lock,
                    const struct orr_engine *engine);

    /* Whether a worker whose task has its data has to wait for the lock of one
     * of these: calls then. NULL if plain. */
    bool (*awaits_locks)(struct orr_worker *worker);

    /* @copy awaits no other any more: it is carried out. It has ended. */
    void (*launch)(struct orr_run *run, struct orr_copy *copy);
    void (*copy_ended)(struct orr_run *run, struct orr_copy *copy);

    /* The links of the machine: see network.h. */
    struct orr_network *(*network)(struct orr_run *run,
                                   const struct orr_links *links);
};

extern const struct orr_interleaving orr_interleaving_plain;

/* Lock-step; NULL if this build leaves it out (configure --disable-lockstep).
 */
extern const struct orr_interleaving *const orr_interleaving_lockstep;

#endif

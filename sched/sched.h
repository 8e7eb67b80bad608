/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCHED_H
#define ORR_SCHED_H

#include <glib.h>
#include <limits.h>
#include <stdbool.h>

#include "models/heap.h"
#include "models/time.h"

/*
 * The contract between a scheduling policy and the runtime.
 *
 * A policy decides which worker runs which ready task, and nothing else. It
 * is a const table of functions (struct orr_sched_ops) of which only push and
 * pop are required; the runtime allocates its state. One call ends before the
 * next begins, so it needs no locks; unless it asks for them: see "concurrent"
 * below.
 *
 * The life of a task, as its policy sees it:
 *
 *     place    its dependencies are satisfied: decide where it goes
 *     push     queue it
 *     pop      a worker asks for work: the policy hands a task over for good
 *     started  its kernel starts on that worker
 *     done     its kernel has ended, its successors are about to be pushed
 *
 * A worker asks for work in its own time: in each turn of its loop while it
 * has room (a GPU worker holds two tasks), and then sleeps. Somebody has to
 * wake it: a policy calls orr_sched_wake() for the worker, or workers, for
 * which it queued something.
 *
 * Workers are numbered from 0, GPUs first, then CPUs. Times are in ns.
 *
 * docs/SCHEDULERS.md shows how to write one. `orrery sched new` writes one to
 * begin with.
 */
struct orr_sched; /* one policy at work in one run */

/*
 * What a policy sees of a task. The runtime owns it; from place until pop
 * the policy holds it, and may use the members below "the holder's own" as it
 * likes. They are zero at first.
 */
struct orr_task {
    uint64_t id;        /* order of submission, from 0 */
    const char *kernel; /* e.g. "gemm" */
    int priority;       /* set by the application; larger is more urgent */

    /* The holder's own. */
    unsigned worker;              /* chosen worker */
    struct orr_task *next, *prev; /* to chain it */
    orr_time length;              /* predicted execution */
    orr_time transfer;            /* predicted transfer */
    uint64_t arrival;             /* to order it among equals */
    struct orr_heap_item item;    /* to queue it in a heap */
    union {
        struct orr_heap_item other; /* and in another at the same time, */
        struct orr_task *touched;   /* or to chain it otherwise */
    };
    void *note; /* whatever else the holder notes of it */

    struct orr_job *job; /* the runtime's */
};

/* Tasks that wait lie all over a large memory: has what matters once @task is
 * popped, and soon it will be, brought into the cache. */
static inline void orr_task_prefetch_cache(const struct orr_task *task)
{
    uintptr_t job = (uintptr_t)task->job; /* 0 in tests of a policy */

    for (uintptr_t line = 0; line < 2; line++)
        __builtin_prefetch((const void *)(job + line * 64));
}

/* @task is next of a chain in which what follows was pushed as long ago. */
static inline void orr_task_prefetch_cache_chain(const struct orr_task *task)
{
    orr_task_prefetch_cache(task);
    if (!task->next)
        return;
    __builtin_prefetch(task->next);
    __builtin_prefetch(&task->next->job);
}

/* What @task lacks on a memory node. See orr_sched_missing(). */
struct orr_missing {
    uint64_t invalid_bytes;     /* to be read, without a valid copy there */
    uint64_t unstarted_bytes;   /* of those, whose load has not started */
    uint64_t unallocated_bytes; /* accessed, without a buffer there */
};

struct orr_sched_ops {
    const char *name;    /* as given to --sched: [a-z0-9-]+ */
    const char *summary; /* one line for `orrery sched list` */
    size_t state_size;   /* bytes of zeroed state for the whole run; may be 0 */
    size_t lane_size;    /* bytes of zeroed state for each worker; may be 0 */
    bool priorities;     /* it orders tasks by priority, so applications are
                            told to set them */
    int max_priority;    /* with priorities: applications keep theirs between 0
                            and this; 0: they choose freely */
    bool draws;          /* random numbers: its schedules depend on the seed */
    bool prefetches;     /* push calls orr_sched_prefetch() */
    bool concurrent;     /* it has locks of its own: see orr_lock_new() */

    /* Optional: for state that zero bytes do not express. */
    void (*init)(struct orr_sched *sched);
    void (*fini)(struct orr_sched *sched);

    /*
     * Optional. Before push, at the same date: for a policy that decides where
     * @task goes. In the reference that takes long enough for all else that is
     * due to happen in between: other tasks that become ready at this date are
     * placed before this one is seen to be planned.
     */
    void (*place)(struct orr_sched *sched, struct orr_task *task);

    /* Required. Some worker can run @task. */
    void (*push)(struct orr_sched *sched, struct orr_task *task);

    /*
     * Optional. After push, at the same date, once those have popped who were
     * about to: for a policy whose push takes long in the reference, to wake
     * workers from.
     */
    void (*pushed)(struct orr_sched *sched, struct orr_task *task);

    /* Required. A task held by the policy that @worker can run, or NULL. */
    struct orr_task *(*pop)(struct orr_sched *sched, unsigned worker);

    /* Optional. The kernel of @task starts on @worker. */
    void (*started)(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker);

    /* Optional. The kernel of @task has ended on @worker. */
    void (*done)(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker);

    /*
     * Optional. What orr_sched_missing() answers for @task, which the policy
     * holds and watches (orr_sched_watch()), has changed since the policy
     * asked. Called often, though not again until it does ask: take note,
     * compute later.
     */
    void (*touched)(struct orr_sched *sched, struct orr_task *task);
};

/* The policy's state_size bytes. */
ORR_API void *orr_sched_state(struct orr_sched *sched);

/* The policy's lane_size bytes for @worker. */
ORR_API void *orr_sched_lane(struct orr_sched *sched, unsigned worker);

/* Number of workers; they are numbered from 0. */
ORR_API unsigned orr_sched_workers(const struct orr_sched *sched);

/* The memory node that @worker works in: 0 is host memory. */
ORR_API unsigned orr_sched_node(const struct orr_sched *sched, unsigned worker);

/*
 * Speed of @worker relative to others where nothing is known of a task
 * (StarPU's constants: CPU 0.5, GPU 13.33).
 */
ORR_API double orr_sched_speed(const struct orr_sched *sched, unsigned worker);

/*
 * Where @worker is: cores and GPUs on one socket share its caches and memory.
 * 0 for all of them where the platform states no sockets.
 */
ORR_API unsigned orr_sched_socket(const struct orr_sched *sched,
                                  unsigned worker);

/*
 * The worker that acts now, ORR_NO_WORKER if it is the application. In push:
 * who ended the last predecessor of the task.
 */
#define ORR_NO_WORKER UINT_MAX
ORR_API unsigned orr_sched_caller(const struct orr_sched *sched);

/* Current simulated date. */
ORR_API orr_time orr_sched_now(const struct orr_sched *sched);

/* Predicted duration of @task on @worker; ORR_NEVER if it cannot run there. */
ORR_API orr_time orr_sched_duration(const struct orr_sched *sched,
                                    const struct orr_task *task,
                                    unsigned worker);

/*
 * Predicted time to bring what @task reads to memory node @node: the sum over
 * its data that are neither valid there nor on their way. What one copy is
 * believed to take depends on the switch belief (docs/MODELS.md).
 */
ORR_API orr_time orr_sched_transfer(const struct orr_sched *sched,
                                    const struct orr_task *task, unsigned node);

/* What @task lacks on @node. */
ORR_API void orr_sched_missing(const struct orr_sched *sched,
                               const struct orr_task *task, unsigned node,
                               struct orr_missing *missing);

/*
 * Asks to be told (touched) when what @task lacks on @node changes, until it
 * is popped; once, and again when it has asked what it lacks. A task is
 * watched on one node at most.
 */
ORR_API void orr_sched_watch(struct orr_sched *sched, struct orr_task *task,
                             unsigned node);

/*
 * The tasks submitted so far that wait for @task, one by one: from *@cursor
 * NULL on, until it returns NULL. One that waits for several data of @task is
 * returned as often, and for a look only: until the next call. @predecessors:
 * how many tasks, counted likewise, it has
 * to wait for, those that have ended included.
 */
ORR_API const struct orr_task *
orr_sched_successor(const struct orr_sched *sched, const struct orr_task *task,
                    const void **cursor, unsigned *predecessors);

/* Has the data of @task, which the policy holds, brought to the memory of
 * @worker ahead of time. */
ORR_API void orr_sched_prefetch(struct orr_sched *sched, struct orr_task *task,
                                unsigned worker);

/*
 * Makes @worker take another turn of its loop. Returns whether this woke it:
 * it was asleep for want of work and nobody had woken it yet. (In the
 * reference, a CPU worker is woken in this sense once a run: switch quirks.)
 */
ORR_API bool orr_sched_wake(struct orr_sched *sched, unsigned worker);

/*
 * In pop, before it returns NULL: @worker finds another one where only one can
 * be at a time. It loses a microsecond and takes another turn of its loop.
 */
ORR_API void orr_sched_collide(struct orr_sched *sched, unsigned worker);

/*
 * Wakes the workers that can run @task, in ascending order, up to the first
 * that was asleep (orr_sched_wake()): for a queue that workers share. (Where
 * schedules are explored, it may begin with any of them.)
 */
ORR_API void orr_sched_wake_any(struct orr_sched *sched,
                                const struct orr_task *task);

/* The run's seed, for models/rng.h. */
ORR_API uint64_t orr_sched_seed(const struct orr_sched *sched);

/*
 * A policy in a file of its own, which is given to --sched by its name
 * (./mine.so), has the line
 *
 *     ORR_SCHED_PLUGIN(&orr_policy_mine);
 *
 * which says what it was compiled with. It is refused unless that is what the
 * program was compiled with.
 */
struct orr_sched_plugin {
    uint64_t magic;
    uint64_t version;
    uint64_t ops_size;  /* of struct orr_sched_ops */
    uint64_t task_size; /* of struct orr_task */
    const struct orr_sched_ops *ops;
};

#define ORR_SCHED_MAGIC UINT64_C(0x646568637372726f) /* "orrsched" */

/* Counts changes of this header after which policies must be compiled anew,
 * but for those that the sizes above tell. */
#define ORR_SCHED_VERSION 1

#define ORR_SCHED_PLUGIN(policy)                                               \
    ORR_API extern const struct orr_sched_plugin orr_sched_plugin;             \
    const struct orr_sched_plugin orr_sched_plugin = {                         \
        ORR_SCHED_MAGIC, ORR_SCHED_VERSION, sizeof(struct orr_sched_ops),      \
        sizeof(struct orr_task), policy}

/*
 * Concurrent policies. Where `concurrent` is set, push, pop, started and done
 * are called by every worker, and push by the application too, while others
 * are in such a call: as threads would. Like these, a call may block, and may
 * be overtaken by others at each of the functions below and at
 * orr_sched_wake(), nowhere else. The policy guards its data by locks, as if
 * it were run by real threads; under the native executor it is. It has no
 * place, pushed nor touched. docs/SCHEDULERS.md has an example.
 *
 * Whoever blocks in a call does nothing else. A worker then neither finishes
 * tasks nor starts copies to and from its memory, even if others wait for
 * those (so in StarPU, where a driver that asks its policy for a task makes no
 * requests progress): a pop that finds nothing should return NULL, and leave
 * it to push to wake the worker.
 *
 * A call has to release every lock that it acquires, and its caller alone can.
 * To release a lock that the caller does not hold, to acquire one that it
 * does, to wait without the lock, or to return with one, ends the run with an
 * error that names the policy. So does orr_cond_wait() outside of these calls
 * or in a policy that is not concurrent; locks may be used there, but nobody
 * else is about.
 *
 * A lock is not recursive and not fair: one who waits is woken when the lock
 * is released, and may find it taken again. Taking and releasing costs no
 * simulated time, but an attempt that fails does (100 ns), so that others can
 * go on if it is repeated.
 */
struct orr_lock;
struct orr_cond;

/* A lock, or condition, that nobody holds or waits for. @name is copied; error
 * messages and diagnoses tell it. Those not freed before end with the run. */
ORR_API struct orr_lock *orr_lock_new(struct orr_sched *sched,
                                      const char *name);
ORR_API void orr_lock_free(struct orr_lock *lock);

ORR_API void orr_lock_acquire(struct orr_lock *lock);
ORR_API bool orr_lock_try(struct orr_lock *lock); /* false: somebody holds it */
ORR_API void orr_lock_release(struct orr_lock *lock);

ORR_API struct orr_cond *orr_cond_new(struct orr_sched *sched,
                                      const char *name);
ORR_API void orr_cond_free(struct orr_cond *cond);

/*
 * Releases @lock, waits for a signal that is sent from then on, and acquires
 * it again. Others may hold it in between, and undo what the signal told: call
 * it in a loop.
 */
ORR_API void orr_cond_wait(struct orr_cond *cond, struct orr_lock *lock);

/* Wakes one of those who wait, or all. If nobody does, nothing happens. */
ORR_API void orr_cond_signal(struct orr_cond *cond);
ORR_API void orr_cond_broadcast(struct orr_cond *cond);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCHED_H
#define ORR_SCHED_H

#include <glib.h>
#include <limits.h>
#include <stdbool.h>

#include "models/heap.h"
#include "models/time.h"

ORR_BEGIN_DECLS

/*
 * The contract between a scheduling policy and the runtime.
 *
 * A policy decides which worker runs which ready task, and nothing else. It
 * is a const table of functions (struct orr_sched_ops), of which only push and
 * pop are required. The runtime allocates its state. Each call ends before the
 * next begins, so a policy needs no locks, except concurrent ones (see below).
 *
 * The life of a task, as its policy sees it:
 *
 *     place    its dependencies are satisfied: choose a worker
 *     push     queue it
 *     pop      a worker asks for a task: the policy returns it, and no longer
 *              holds it
 *     started  its kernel starts on that worker
 *     done     its kernel has ended, its successors are about to be pushed
 *
 * A worker calls pop in each turn of its loop while it has room for a task (a
 * GPU worker holds two). If it gets none, it sleeps. The policy has to wake it:
 * whenever the policy has queued a task, it calls orr_sched_wake() for the
 * workers that could pop the task.
 *
 * Workers are numbered from 0, GPUs first, then CPUs. Times are in ns.
 *
 * docs/SCHEDULERS.md shows how to write a policy. `orrery sched new` writes a
 * first one.
 */
struct orr_sched;     /* one policy at work in one run */
struct orr_evict_ops; /* evict.h */

/*
 * A task as policies see it. The runtime owns it. From place until pop the
 * policy holds it, and may use the members below "For the policy" freely. They
 * are zero at first.
 */
struct orr_task {
    uint64_t id;        /* order of submission, from 0 */
    const char *kernel; /* e.g. "gemm" */
    int priority;       /* set by the application; larger is more urgent. The
                           policy may change it for later transfers */

    /* For the policy that holds the task; the uses are suggestions. */
    unsigned worker;              /* chosen worker */
    struct orr_task *next, *prev; /* links of a list */
    orr_time length;              /* predicted execution time */
    orr_time transfer;            /* predicted transfer time */
    uint64_t arrival;             /* order among tasks of equal priority */
    struct orr_heap_item item;    /* place in a heap */
    __extension__ union {
        struct orr_heap_item other; /* place in a second heap */
        struct orr_task *touched;   /* link of a second list */
    };
    void *note; /* anything else */

    struct orr_job *job; /* private to the runtime */
};

/* Prefetches into the cache the memory that is used when @task is popped. Call
 * it shortly before, as waiting tasks are scattered over a large memory. */
static inline void orr_task_prefetch_cache(const struct orr_task *task)
{
    uintptr_t job = (uintptr_t)task->job; /* 0 in tests of a policy */

    for (uintptr_t line = 0; line < 2; line++)
        __builtin_prefetch((const void *)(job + line * 64));
}

/* orr_task_prefetch_cache() for the head @task of a list, and its successor. */
static inline void orr_task_prefetch_cache_chain(const struct orr_task *task)
{
    orr_task_prefetch_cache(task);
    if (!task->next)
        return;
    __builtin_prefetch(task->next);
    __builtin_prefetch(&task->next->job);
}

/* Bytes that a task lacks on a memory node. See orr_sched_missing(). */
struct orr_missing {
    uint64_t invalid_bytes;   /* read by the task, without a valid copy there */
    uint64_t unstarted_bytes; /* invalid, and their load has not started */
    uint64_t unallocated_bytes; /* accessed by it, without a buffer there */
};

/* A datum that a task accesses. Data are numbered in order of registration. */
struct orr_task_access {
    uint64_t datum;
    uint64_t bytes;
    bool reads, writes;
};

struct orr_sched_ops {
    const char *name;    /* as given to --sched: [a-z0-9-]+ */
    const char *summary; /* one line for `orrery sched list` */
    size_t state_size;   /* bytes of zeroed state for the whole run; may be 0 */
    size_t lane_size;    /* bytes of zeroed state for each worker; may be 0 */
    bool priorities;     /* the policy uses priorities, so applications set
                            them */
    int max_priority;    /* priorities are from 0 to this; 0: the application
                            chooses freely. Ignored without priorities */
    bool draws;          /* the policy draws random numbers, so schedules depend
                            on the seed */
    bool prefetches;     /* push calls orr_sched_prefetch() */
    bool pop_prefetches; /* pop calls orr_sched_prefetch(). Without both flags,
                            the runtime prefetches before push, for tasks that
                            only CPUs, or only a single GPU, can run */
    bool concurrent;   /* the policy has locks of its own: see orr_lock_new() */
    bool worker_locks; /* concurrent, and locks workers, as policies of StarPU
                          do: see orr_sched_lock_worker() */
    const struct orr_evict_ops *evict; /* the policy's own eviction, unless the
                                          user names another; NULL: none */
    const void *data; /* for the policy's functions: orr_sched_data() */

    /* Optional: set up the state, which is zeroed, and free its memory. */
    void (*init)(struct orr_sched *sched);
    void (*fini)(struct orr_sched *sched);

    /*
     * Optional. Called before push, at the same date, to choose the worker of
     * @task. Other tasks that become ready at this date may be placed before
     * this one is pushed, as in StarPU, where the choice takes long.
     */
    void (*place)(struct orr_sched *sched, struct orr_task *task);

    /* Required. Some worker can run @task. */
    void (*push)(struct orr_sched *sched, struct orr_task *task);

    /*
     * Optional. Called after push, at the same date, when all workers that were
     * about to pop have popped. For policies whose push takes long in StarPU:
     * they wake workers here instead of in push.
     */
    void (*pushed)(struct orr_sched *sched, struct orr_task *task);

    /* Required. Returns a task for @worker, which it can run, or NULL. */
    struct orr_task *(*pop)(struct orr_sched *sched, unsigned worker);

    /*
     * Optional. @task bypasses the policy: it was queued at @worker, which
     * alone may run it, and will not be placed, pushed or popped. Policies that
     * plan should count it. Only with this function, started and done are
     * called for such tasks. For concurrent policies, only with worker_locks.
     */
    void (*bypassed)(struct orr_sched *sched, struct orr_task *task,
                     unsigned worker);

    /* Optional. The kernel of @task starts on @worker. */
    void (*started)(struct orr_sched *sched, struct orr_task *task,
                    unsigned worker);

    /* Optional. The kernel of @task has ended on @worker. */
    void (*done)(struct orr_sched *sched, struct orr_task *task,
                 unsigned worker);

    /*
     * Optional. The result of orr_sched_missing() for @task, which the policy
     * holds and watches (orr_sched_watch()), has changed since the last call of
     * orr_sched_missing(). Called often, so it should only mark the task; it is
     * not called again for the task until the policy calls orr_sched_missing().
     */
    void (*touched)(struct orr_sched *sched, struct orr_task *task);

    /* Optional, in concurrent policies. The application has submitted @task, of
     * which the data and the priority are known. @task is valid during the call
     * only: push has another pointer, with the same id. */
    void (*submitted)(struct orr_sched *sched, struct orr_task *task);

    /* Optional, in concurrent policies. The application is about to wait for
     * tasks: a policy that has only collected them may decide now. */
    void (*schedule)(struct orr_sched *sched);
};

/* The state of the policy: state_size bytes, at most 64 MiB. */
ORR_API void *orr_sched_state(struct orr_sched *sched);

/* The state of @worker: lane_size bytes, at most 1 MiB. */
ORR_API void *orr_sched_lane(struct orr_sched *sched, unsigned worker);

/* Number of workers; they are numbered from 0. */
ORR_API unsigned orr_sched_workers(const struct orr_sched *sched);

/* The memory node that @worker works in; 0 is host memory. */
ORR_API unsigned orr_sched_node(const struct orr_sched *sched, unsigned worker);

/*
 * The speed of @worker relative to other workers, whatever the task (StarPU's
 * constants: CPU 0.5, GPU 13.33).
 */
ORR_API double orr_sched_speed(const struct orr_sched *sched, unsigned worker);

/*
 * The socket of @worker. 0 for all workers if the platform states no sockets.
 */
ORR_API unsigned orr_sched_socket(const struct orr_sched *sched,
                                  unsigned worker);

/*
 * The worker that calls the policy now; ORR_NO_WORKER for the application. In
 * push, this is the worker that ended the last predecessor of the task.
 */
#define ORR_NO_WORKER UINT_MAX
ORR_API unsigned orr_sched_caller(const struct orr_sched *sched);

/* Current simulated date. */
ORR_API orr_time orr_sched_now(const struct orr_sched *sched);

/* The predicted duration of @task on @worker; ORR_NEVER if it cannot run there.
 */
ORR_API orr_time orr_sched_duration(const struct orr_sched *sched,
                                    const struct orr_task *task,
                                    unsigned worker);

/* Whether @worker can run @task, without a question to the performance
 * model. */
ORR_API bool orr_sched_can_run(const struct orr_sched *sched,
                               const struct orr_task *task, unsigned worker);

#ifndef ORR_MAX_IMPLEMENTATIONS
#define ORR_MAX_IMPLEMENTATIONS 4 /* on a worker, as in orrery.h */
#endif

/*
 * A kernel may have several implementations on each worker (orrery.h,
 * orr_kernel_set_implementations()). The first function returns their number, 1
 * or more; the second the predicted duration of @task on @worker by
 * @implementation, from 0, or ORR_NEVER; the third chooses the implementation
 * to run, and is to be called before pop returns @task. Without a valid choice,
 * it is the first one that the worker can run, whose duration
 * orr_sched_duration() returns.
 */
ORR_API unsigned orr_sched_implementations(const struct orr_sched *sched,
                                           const struct orr_task *task);
ORR_API orr_time orr_sched_implementation_duration(
    const struct orr_sched *sched, const struct orr_task *task, unsigned worker,
    unsigned implementation);
ORR_API void orr_sched_choose_implementation(struct orr_sched *sched,
                                             struct orr_task *task,
                                             unsigned implementation);

/*
 * The predicted time to transfer the data that @task reads to memory node
 * @node: the sum over data that are neither valid there nor on their way. The
 * switch belief chooses how a single copy is predicted (docs/MODELS.md).
 */
ORR_API orr_time orr_sched_transfer(const struct orr_sched *sched,
                                    const struct orr_task *task, unsigned node);

/* Sets *@missing to the bytes that @task lacks on memory node @node. */
ORR_API void orr_sched_missing(const struct orr_sched *sched,
                               const struct orr_task *task, unsigned node,
                               struct orr_missing *missing);

/* Sets *@access to the @i-th access of @task, from 0. Returns false past the
 * last. */
ORR_API bool orr_sched_access(const struct orr_sched *sched,
                              const struct orr_task *task, unsigned i,
                              struct orr_task_access *access);

/* Whether memory node @node has a valid copy of @datum, or a copy is on its way
 * or requested. */
ORR_API bool orr_sched_has(const struct orr_sched *sched, uint64_t datum,
                           unsigned node);

/* The predicted time to copy @datum to memory node @node; 0: it is valid there.
 */
ORR_API orr_time orr_sched_load(const struct orr_sched *sched, uint64_t datum,
                                unsigned node);

/*
 * From now until @task is popped, the runtime calls the operation touched when
 * the result of orr_sched_missing() for @task on @node changes: once, and again
 * after each call of orr_sched_missing(). A task is watched on one node at
 * most.
 */
ORR_API void orr_sched_watch(struct orr_sched *sched, struct orr_task *task,
                             unsigned node);

/*
 * Enumerates the tasks, submitted so far, that depend on @task. Set *@cursor to
 * NULL first, and call it until it returns NULL. A task that depends on @task
 * by several data is returned once for each. The result is valid until the next
 * call. *@predecessors is set to its number of dependencies, counted by datum
 * as well; dependencies on tasks that have ended count, too.
 */
ORR_API const struct orr_task *
orr_sched_successor(const struct orr_sched *sched, const struct orr_task *task,
                    const void **cursor, unsigned *predecessors);

/* Prefetches the data of @task, which the policy holds, to the memory of
 * @worker. */
ORR_API void orr_sched_prefetch(struct orr_sched *sched, struct orr_task *task,
                                unsigned worker);

/*
 * Makes @worker take another turn of its loop. Returns whether this woke it:
 * true if it was asleep and not woken already. (As in StarPU, this is true for
 * a CPU worker only once in a run, unless the switch quirks is off.)
 */
ORR_API bool orr_sched_wake(struct orr_sched *sched, unsigned worker);

/*
 * Models a failed attempt to lock: to be called in pop before it returns NULL,
 * because another worker holds the lock. @worker loses 1 us and pops again.
 */
ORR_API void orr_sched_collide(struct orr_sched *sched, unsigned worker);

/*
 * Calls orr_sched_wake() for the workers that can run @task, in ascending
 * order, until it returns true: for a queue that workers share. (An exploration
 * of schedules may begin with any of these workers.)
 */
ORR_API void orr_sched_wake_any(struct orr_sched *sched,
                                const struct orr_task *task);

/*
 * An assertion of the policy, such as that a counter is not negative. Ends the
 * run with an error if @condition is false. `orrery explore` looks for a
 * schedule in which it is false.
 */
#define orr_check(sched, condition)                                            \
    ((condition)                                                               \
         ? (void)0                                                             \
         : orr_sched_check_failed(sched, #condition, __FILE__, __LINE__))
ORR_API void orr_sched_check_failed(const struct orr_sched *sched,
                                    const char *condition, const char *file,
                                    int line);

/*
 * Ends the run with the error ORR_ERROR_POLICY, "policy NAME: MESSAGE", and
 * returns. The first error stays. The run ends with the present step, so that a
 * few more functions of the policy may be called.
 */
ORR_API void orr_sched_fail(const struct orr_sched *sched, const char *message);

/* The run's seed, for models/rng.h. */
ORR_API uint64_t orr_sched_seed(const struct orr_sched *sched);

/* The run's weights of the cost function of the dm family and modular-heft: its
 * options alpha, beta, gamma and idle-power. */
struct orr_sched_weights {
    double alpha, beta;
    double gamma; /* us per J */
    double idle_power_w;
};
ORR_API struct orr_sched_weights
orr_sched_weights(const struct orr_sched *sched);

/*
 * A plug-in is a policy in a shared object, which is passed to --sched by its
 * file name (./mine.so). It has the line
 *
 *     ORR_SCHED_PLUGIN(&orr_policy_mine);
 *
 * which records the version of this header. A plug-in that was compiled with
 * another version is refused.
 */
struct orr_sched_plugin {
    uint64_t magic;
    uint64_t version;
    uint64_t ops_size;  /* of struct orr_sched_ops */
    uint64_t task_size; /* of struct orr_task */
    const struct orr_sched_ops *ops;
};

#define ORR_SCHED_MAGIC UINT64_C(0x646568637372726f) /* "orrsched" */

/* To be increased by changes of this header after which plug-ins have to be
 * recompiled, unless one of the sizes above changes as well. */
#define ORR_SCHED_VERSION 1

#define ORR_SCHED_PLUGIN(policy)                                               \
    ORR_API extern const struct orr_sched_plugin orr_sched_plugin;             \
    const struct orr_sched_plugin orr_sched_plugin = {                         \
        ORR_SCHED_MAGIC, ORR_SCHED_VERSION, sizeof(struct orr_sched_ops),      \
        sizeof(struct orr_task), policy}

/*
 * A layer runs policies that are made for another runtime system. It is a
 * shared library that defines `orr_sched_layer`; liborrery-starpu is the one of
 * StarPU, for --sched starpu:FILE.
 */
struct orr_sched_layer {
    uint64_t version;   /* ORR_SCHED_VERSION */
    uint64_t ops_size;  /* of struct orr_sched_ops */
    uint64_t task_size; /* of struct orr_task */

    /* The table of the policy @name (NULL: its only one) in the file @path,
     * which has the symbols @find(@object, NAME); NULL with @error. It is
     * never freed. */
    const struct orr_sched_ops *(*open)(const char *path, const char *name,
                                        const void *(*find)(const void *object,
                                                            const char *symbol),
                                        const void *object, GError **error);

    /* Its own policies, which need no file: the table of the policy @name, NULL
     * if there is none; the table of number @i, from 0, NULL past the last. */
    const struct orr_sched_ops *(*find)(const char *name);
    const struct orr_sched_ops *(*own)(unsigned i);

    /* One run at a time has such a policy. begin() waits until the runs of
     * other threads have ended, and fails with ORR_ERROR_VALUE if this thread
     * has one. */
    bool (*begin)(GError **error);
    void (*end)(void);
};

/*
 * Concurrent policies. If `concurrent` is set, workers call push, pop, started
 * and done concurrently, as threads would; the application calls push as well.
 * A call may block, and other calls may run in between, at each of the
 * functions below and at orr_sched_wake(), and nowhere else. The policy
 * protects its data by locks, as with real threads. It must not have place,
 * pushed or touched. docs/SCHEDULERS.md has an example.
 *
 * A worker that blocks in a call does nothing else: it neither finishes tasks
 * nor starts copies to and from its memory, even if other workers wait for
 * them. (So it is in StarPU, where a driver makes no progress on requests while
 * it is in pop.) So a pop that finds no task should return NULL, and push
 * should wake the worker.
 *
 * A call has to release every lock that it acquires; only its caller can. It is
 * an error to release a lock that the caller does not hold, to acquire one that
 * it holds, to wait without the lock, or to return with a lock. Each ends the
 * run with a message that names the policy. So does orr_cond_wait() outside of
 * push, pop, started and done, or in a policy that is not concurrent; locks may
 * be used there, but are always free.
 *
 * Locks are neither recursive nor fair: a waiting caller is woken when the lock
 * is released, and may find it held again. Acquiring and releasing take no
 * simulated time. A failed attempt takes 100 ns, so that a loop of attempts
 * lets other callers proceed.
 */
struct orr_lock;
struct orr_cond;

/* Returns a new lock, or (below) a new condition. @name is copied, and shown in
 * messages. The run frees all that are left at its end. */
ORR_API struct orr_lock *orr_lock_new(struct orr_sched *sched,
                                      const char *name);
ORR_API void orr_lock_free(struct orr_lock *lock);

ORR_API void orr_lock_acquire(struct orr_lock *lock);
ORR_API bool orr_lock_try(struct orr_lock *lock); /* false: not acquired */
ORR_API void orr_lock_release(struct orr_lock *lock);

ORR_API struct orr_cond *orr_cond_new(struct orr_sched *sched,
                                      const char *name);
ORR_API void orr_cond_free(struct orr_cond *cond);

/*
 * Releases @lock, waits for a signal, and acquires @lock again. Other callers
 * may hold the lock in between and make the condition false again, so call it
 * in a loop.
 */
ORR_API void orr_cond_wait(struct orr_cond *cond, struct orr_lock *lock);

/* Wake one waiting caller, or all of them. Without any, nothing happens. */
ORR_API void orr_cond_signal(struct orr_cond *cond);
ORR_API void orr_cond_broadcast(struct orr_cond *cond);

/*
 * Locks of workers, as in StarPU (starpu_worker_lock(),
 * starpu_worker_relax_on()), for concurrent policies with `worker_locks`. Each
 * worker has a lock, which protects what the policy keeps for that worker. A
 * worker holds its own lock while it calls push or pop. To lock another worker
 * it relaxes: it gives its own lock back, and takes it again when it has
 * unlocked the other one. So two workers that lock each other do not wait for
 * each other.
 *
 * With the model quirks=exact, each of these functions, of the locks above, of
 * orr_sched_wake(), and of the predictions takes the turns that it takes in
 * StarPU, so that a policy that makes the calls of one of StarPU's gets its
 * dates.
 */

/* The calling worker gives its own lock back, or takes it again. Calls nest: as
 * many with false as with true. The application has no lock: it does nothing.
 */
ORR_API void orr_sched_relax(struct orr_sched *sched, bool relaxed);
ORR_API bool orr_sched_is_relaxed(const struct orr_sched *sched);

/* Locks @worker; another worker than the caller relaxes the caller. try:
 * returns false, and locks nothing, if the lock is held. Each successful call
 * needs an unlock by the same caller. */
ORR_API void orr_sched_lock_worker(struct orr_sched *sched, unsigned worker);
ORR_API bool orr_sched_try_lock_worker(struct orr_sched *sched,
                                       unsigned worker);
ORR_API void orr_sched_unlock_worker(struct orr_sched *sched, unsigned worker);

/* Whether the calling worker has been woken since it found nothing to do: a pop
 * that has no task may try again. */
ORR_API bool orr_sched_was_woken(const struct orr_sched *sched);

/* orr_sched_wake() for a worker that the caller has locked. */
ORR_API bool orr_sched_wake_locked(struct orr_sched *sched, unsigned worker);

/* In a call: the caller waits for @delay, above 0, and does nothing else. */
ORR_API void orr_sched_sleep(struct orr_sched *sched, orr_time delay);

/* Gives @task, which the policy holds, to @worker, which can run it and which
 * the caller has locked. It runs it without another pop of the policy. Wake it
 * afterwards. */
ORR_API void orr_sched_push_own(struct orr_sched *sched, struct orr_task *task,
                                unsigned worker);

/*
 * For policies that are a layer for others.
 *
 * orr_sched_run(): the run, for functions of orrery.h that ask; NULL in a test
 * of a policy. orr_sched_data(): the member data of the table.
 * orr_sched_in_call(): whether the caller is in a call of this concurrent
 * policy; false in init and fini. orr_sched_use_priorities(): to be called in
 * init, instead of the members priorities and max_priority. orr_sched_stop():
 * ends the run with the error "policy NAME: push(), called by CPU0, DOES"; in a
 * call it does not return. orr_sched_stop_as(): the same, with a kind of
 * ORR_ERROR_POLICY (models/errors.h).
 * orr_sched_calling_code(): the return address of the innermost call from code
 * that is none of Orrery's; NULL: there is none. orr_sched_source_line(): its
 * place, "FILE:LINE"; g_free(). It takes some ms.
 */
struct orr_run;
ORR_API struct orr_run *orr_sched_run(const struct orr_sched *sched);
ORR_API const void *orr_sched_data(const struct orr_sched *sched);
ORR_API bool orr_sched_in_call(const struct orr_sched *sched);
ORR_API void orr_sched_use_priorities(struct orr_sched *sched,
                                      int max_priority);
ORR_API void orr_sched_stop(struct orr_sched *sched, const char *does);
ORR_API void orr_sched_stop_as(struct orr_sched *sched, int code,
                               const char *does);
/* For races between callers: the layer accesses @bytes at @address for a policy
 * that is compiled with -fsanitize=thread. */
ORR_API void orr_sched_record_access(struct orr_sched *sched,
                                     const void *address, size_t bytes,
                                     bool writes);
ORR_API const void *orr_sched_calling_code(void);
ORR_API char *orr_sched_source_line(const void *code);

ORR_END_DECLS

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SCHED_HOST_H
#define ORR_SCHED_HOST_H

#include "models/platform/platform.h"
#include "sched/sched.h"

struct orr_bucket_plan;
struct orr_mapping;

/*
 * The locks of a host. Locks and conditions of the host begin with struct
 * orr_lock and struct orr_cond, which orr_lock_new() and orr_cond_new() fill.
 */
struct orr_lock_ops {
    struct orr_lock *(*lock_new)(void *data, const char *name);
    void (*lock_free)(struct orr_lock *lock);
    void (*acquire)(struct orr_lock *lock);
    bool (*try_acquire)(struct orr_lock *lock);
    void (*release)(struct orr_lock *lock);
    struct orr_cond *(*cond_new)(void *data, const char *name);
    void (*cond_free)(struct orr_cond *cond);
    void (*wait)(struct orr_cond *cond, struct orr_lock *lock);
    void (*signal)(struct orr_cond *cond);
    void (*broadcast)(struct orr_cond *cond);
};

/* The locks of the workers; @data as in struct orr_sched_host. Each implements
 * the function of sched.h with its name. */
struct orr_worker_lock_ops {
    void (*relax)(void *data, bool relaxed);
    bool (*is_relaxed)(void *data);
    bool (*was_woken)(void *data);
    void (*lock)(void *data, unsigned worker);
    bool (*try_lock)(void *data, unsigned worker);
    void (*unlock)(void *data, unsigned worker);
    bool (*wake_locked)(void *data, unsigned worker);
    void (*sleep)(void *data, orr_time delay);
    void (*push_own)(void *data, struct orr_task *task, unsigned worker);
};

struct orr_lock {
    const struct orr_lock_ops *ops;
};

struct orr_cond {
    const struct orr_lock_ops *ops;
};

/*
 * The other side of sched.h: the functions that a runtime has to provide for a
 * policy. runtime/worker/policy.c implements them for simulated runs, tests for
 * a machine made by hand.
 */
struct orr_sched_host {
    unsigned workers;
    uint64_t seed;
    void *data; /* the first argument of the functions below */

    /* Each implements the function of sched.h with its name. */
    unsigned (*node)(void *data, unsigned worker);
    double (*speed)(void *data, unsigned worker);
    unsigned (*socket)(void *data, unsigned worker); /* NULL: always 0 */
    unsigned (*caller)(void *data); /* NULL: always the application */
    /* The name of @worker, for messages of guard.h. NULL: no names. */
    const char *(*name)(void *data, unsigned worker);
    /* Whether @worker can run @task. NULL: true unless duration() is ORR_NEVER.
     */
    bool (*can_run)(void *data, const struct orr_task *task, unsigned worker);
    const orr_time *now; /* the current date */
    orr_time (*duration)(void *data, const struct orr_task *task,
                         unsigned worker);
    /* duration() of each worker. Valid until the next call. */
    const orr_time *(*durations)(void *data, const struct orr_task *task);
    /* Sets (*@durations)[w n + i] to the duration of implementation i on worker
     * w, and returns n, the number of implementations on each worker. Valid
     * until the next call. NULL: all kernels have one. */
    unsigned (*implementations)(void *data, const struct orr_task *task,
                                const orr_time **durations);
    void (*choose_implementation)(void *data, struct orr_task *task,
                                  unsigned implementation);
    /* The joules of @task, at w n + i as above, or NULL if not known. Valid
     * until the next call. NULL: not known for any task. */
    const double *(*joules)(void *data, const struct orr_task *task);
    const struct orr_sched_weights *weights; /* NULL: 1, 1, 1000, 0 */
    orr_time (*transfer)(void *data, const struct orr_task *task,
                         unsigned node);
    /* Sets @times[node] for each node in the mask @nodes, and maybe for other
     * nodes. */
    void (*transfers)(void *data, const struct orr_task *task, uint32_t nodes,
                      orr_time *times);
    void (*missing)(void *data, const struct orr_task *task, unsigned node,
                    struct orr_missing *missing);
    bool (*access)(void *data, const struct orr_task *task, unsigned i,
                   struct orr_task_access *access);
    bool (*has)(void *data, uint64_t datum, unsigned node);
    orr_time (*load)(void *data, uint64_t datum, unsigned node);
    uint64_t (*data_count)(void *data);
    /* Sets *@missing, too, as missing() does. */
    void (*watch)(void *data, struct orr_task *task, unsigned node,
                  struct orr_missing *missing);
    /* Announces a call of missing() for @task and @node. NULL: does nothing. */
    void (*prefetch_cache)(void *data, const struct orr_task *task,
                           unsigned node);
    /* NULL: no successors are known. */
    const struct orr_task *(*successor)(void *data, const struct orr_task *task,
                                        const void **cursor,
                                        unsigned *predecessors);
    void (*prefetch)(void *data, struct orr_task *task, unsigned worker);
    bool (*wake)(void *data, unsigned worker);
    /* The index, among @count (> 0) workers, of the one to wake first. NULL:
     * always 0. */
    unsigned (*choose)(void *data, const unsigned *workers, unsigned count);
    void (*collide)(void *data, unsigned worker); /* NULL: does nothing */

    /* orr_check() failed, with the message @what, which is freed. NULL: does
     * nothing. */
    void (*fail_check)(void *data, char *what);
    /* orr_sched_fail(). NULL: does nothing. */
    void (*fail)(void *data, const char *message);
    const struct orr_lock_ops *locks; /* NULL: there are no locks */
    const struct orr_worker_lock_ops *worker_locks; /* or NULL, without effect
                                                     */
    struct orr_run *run;                            /* orr_sched_run() */
    /* Each implements the function of sched.h with its name; NULL: does
     * nothing. */
    bool (*in_call)(void *data);
    void (*use_priorities)(void *data, int max_priority);
    void (*stop)(void *data, int code, const char *does);
    void (*record_access)(void *data, const void *address, size_t bytes,
                          bool writes);
    /* Whether the kernel of @task is written for the class of @worker, even if
     * this worker cannot run @task. NULL: as can_run(). */
    bool (*has_code)(void *data, const struct orr_task *task, unsigned worker);
    /* For the policy heteroprio: buckets that are given. NULL: it learns. */
    const struct orr_bucket_plan *buckets;
    /* For the policy fixed: the mapping to replay, resolved, and the index of
     * @task in it. */
    const struct orr_mapping *mapping;
    unsigned (*assigned)(void *data, const struct orr_task *task);
};

/* One policy at work in one run. */
struct orr_sched {
    const struct orr_sched_ops *ops;
    const struct orr_sched_host *host;
    void *state;
    char *lanes; /* workers * lane_size bytes */
};

/*
 * Starts a policy. Borrows @ops and @host, which must outlive the result.
 * Free with orr_sched_free().
 */
struct orr_sched *orr_sched_new(const struct orr_sched_ops *ops,
                                const struct orr_sched_host *host);
void orr_sched_free(struct orr_sched *sched);

/*
 * Functions that are called several times for each task are inlined into their
 * callers. With gnu_inline, a definition is only used for inlining: host.c
 * makes the functions that plug-ins call from the same definitions.
 */
#ifndef ORR_SCHED_INLINE
#define ORR_SCHED_INLINE extern inline __attribute__((gnu_inline))
#endif

ORR_SCHED_INLINE void *orr_sched_state(struct orr_sched *sched)
{
    return sched->state;
}

ORR_SCHED_INLINE void *orr_sched_lane(struct orr_sched *sched, unsigned worker)
{
    g_assert(worker < sched->host->workers);
    return sched->lanes + worker * sched->ops->lane_size;
}

ORR_SCHED_INLINE unsigned orr_sched_workers(const struct orr_sched *sched)
{
    return sched->host->workers;
}

ORR_SCHED_INLINE orr_time orr_sched_now(const struct orr_sched *sched)
{
    return *sched->host->now;
}

ORR_SCHED_INLINE bool orr_sched_wake(struct orr_sched *sched, unsigned worker)
{
    return sched->host->wake(sched->host->data, worker);
}

/* For built-in policies: orr_sched_duration() of each worker. Valid until the
 * next call. */
static inline const orr_time *orr_sched_durations(const struct orr_sched *sched,
                                                  const struct orr_task *task)
{
    return sched->host->durations(sched->host->data, task);
}

/* For built-in policies: sets (*@durations)[w n + i] to the duration of @task
 * on worker w by implementation i of its kernel, and returns n, 1 or more.
 * Valid until the next call. */
static inline unsigned orr_sched_choices(const struct orr_sched *sched,
                                         const struct orr_task *task,
                                         const orr_time **durations)
{
    if (G_UNLIKELY(sched->host->implementations))
        return sched->host->implementations(sched->host->data, task, durations);
    *durations = orr_sched_durations(sched, task);
    return 1;
}

/* For built-in policies: the joules of @task, in the order of
 * orr_sched_choices(); NULL: not known. Valid until the next call. */
static inline const double *orr_sched_joules(const struct orr_sched *sched,
                                             const struct orr_task *task)
{
    return G_UNLIKELY(sched->host->joules)
               ? sched->host->joules(sched->host->data, task)
               : NULL;
}

/* For built-in policies: sets @times[node], of ORR_MAX_NODES, to
 * orr_sched_transfer() for each node in the mask @nodes, and maybe for other
 * nodes. */
static inline void orr_sched_transfers(const struct orr_sched *sched,
                                       const struct orr_task *task,
                                       uint32_t nodes, orr_time *times)
{
    sched->host->transfers(sched->host->data, task, nodes, times);
}

/* For built-in policies: orr_sched_watch(), which sets *@missing as
 * orr_sched_missing() does. */
static inline void orr_sched_begin_watch(struct orr_sched *sched,
                                         struct orr_task *task, unsigned node,
                                         struct orr_missing *missing)
{
    sched->host->watch(sched->host->data, task, node, missing);
}

ORR_SCHED_INLINE void orr_sched_missing(const struct orr_sched *sched,
                                        const struct orr_task *task,
                                        unsigned node,
                                        struct orr_missing *missing)
{
    sched->host->missing(sched->host->data, task, node, missing);
}

/* The table of the policy. */
static inline const struct orr_sched_ops *
orr_sched_policy(const struct orr_sched *sched)
{
    return sched->ops;
}

/* Call the operation of the same name; do nothing if it is NULL. */
static inline void orr_sched_place(struct orr_sched *sched,
                                   struct orr_task *task)
{
    if (sched->ops->place)
        sched->ops->place(sched, task);
}

static inline void orr_sched_push(struct orr_sched *sched,
                                  struct orr_task *task)
{
    sched->ops->push(sched, task);
}

static inline void orr_sched_pushed(struct orr_sched *sched,
                                    struct orr_task *task)
{
    if (sched->ops->pushed)
        sched->ops->pushed(sched, task);
}

static inline struct orr_task *orr_sched_pop(struct orr_sched *sched,
                                             unsigned worker)
{
    return sched->ops->pop(sched, worker);
}

static inline void orr_sched_bypassed(struct orr_sched *sched,
                                      struct orr_task *task, unsigned worker)
{
    if (sched->ops->bypassed)
        sched->ops->bypassed(sched, task, worker);
}

static inline void orr_sched_started(struct orr_sched *sched,
                                     struct orr_task *task, unsigned worker)
{
    if (sched->ops->started)
        sched->ops->started(sched, task, worker);
}

static inline void orr_sched_done(struct orr_sched *sched,
                                  struct orr_task *task, unsigned worker)
{
    if (sched->ops->done)
        sched->ops->done(sched, task, worker);
}

static inline void orr_sched_submitted(struct orr_sched *sched,
                                       struct orr_task *task)
{
    if (sched->ops->submitted)
        sched->ops->submitted(sched, task);
}

static inline void orr_sched_schedule(struct orr_sched *sched)
{
    if (sched->ops->schedule)
        sched->ops->schedule(sched);
}

static inline void orr_sched_touched(struct orr_sched *sched,
                                     struct orr_task *task)
{
    if (sched->ops->touched)
        sched->ops->touched(sched, task);
}

/* For built-in policies: announces orr_sched_missing() for @task and @node, so
 * that the host can bring the data into the cache. */
void orr_sched_prefetch_cache(const struct orr_sched *sched,
                              const struct orr_task *task, unsigned node);

#endif

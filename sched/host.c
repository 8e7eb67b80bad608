/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of a policy to its host: all functions of sched.h. For policies in
 * files, this includes functions that host.h defines inline for the built-in
 * policies.
 */
#define ORR_SCHED_INLINE
#include "sched/host.h"

#include "models/base/source_line.h"
#include "models/errors.h"

struct orr_sched *orr_sched_new(const struct orr_sched_ops *ops,
                                const struct orr_sched_host *host)
{
    struct orr_sched *sched = g_new0(struct orr_sched, 1);

    sched->ops = ops;
    sched->host = host;
    sched->state = g_malloc0(ops->state_size);
    sched->lanes = g_malloc0_n(host->workers, ops->lane_size);
    if (ops->init)
        ops->init(sched);
    return sched;
}

void orr_sched_free(struct orr_sched *sched)
{
    if (!sched)
        return;
    if (sched->ops->fini)
        sched->ops->fini(sched);
    g_free(sched->lanes);
    g_free(sched->state);
    g_free(sched);
}

unsigned orr_sched_node(const struct orr_sched *sched, unsigned worker)
{
    return sched->host->node(sched->host->data, worker);
}

double orr_sched_speed(const struct orr_sched *sched, unsigned worker)
{
    return sched->host->speed(sched->host->data, worker);
}

unsigned orr_sched_socket(const struct orr_sched *sched, unsigned worker)
{
    return sched->host->socket ? sched->host->socket(sched->host->data, worker)
                               : 0;
}

unsigned orr_sched_caller(const struct orr_sched *sched)
{
    return sched->host->caller ? sched->host->caller(sched->host->data)
                               : ORR_NO_WORKER;
}

orr_time orr_sched_duration(const struct orr_sched *sched,
                            const struct orr_task *task, unsigned worker)
{
    return sched->host->duration(sched->host->data, task, worker);
}

unsigned orr_sched_implementations(const struct orr_sched *sched,
                                   const struct orr_task *task)
{
    const orr_time *durations;

    return orr_sched_choices(sched, task, &durations);
}

orr_time orr_sched_implementation_duration(const struct orr_sched *sched,
                                           const struct orr_task *task,
                                           unsigned worker,
                                           unsigned implementation)
{
    const orr_time *durations;
    unsigned count;

    if (!sched->host->implementations)
        return orr_sched_duration(sched, task, worker);
    count = orr_sched_choices(sched, task, &durations);
    return durations[(size_t)worker * count + implementation];
}

void orr_sched_choose_implementation(struct orr_sched *sched,
                                     struct orr_task *task,
                                     unsigned implementation)
{
    if (sched->host->choose_implementation)
        sched->host->choose_implementation(sched->host->data, task,
                                           implementation);
}

orr_time orr_sched_transfer(const struct orr_sched *sched,
                            const struct orr_task *task, unsigned node)
{
    return sched->host->transfer(sched->host->data, task, node);
}

bool orr_sched_access(const struct orr_sched *sched,
                      const struct orr_task *task, unsigned i,
                      struct orr_task_access *access)
{
    return sched->host->access(sched->host->data, task, i, access);
}

bool orr_sched_has(const struct orr_sched *sched, uint64_t datum, unsigned node)
{
    return sched->host->has(sched->host->data, datum, node);
}

orr_time orr_sched_load(const struct orr_sched *sched, uint64_t datum,
                        unsigned node)
{
    return sched->host->load(sched->host->data, datum, node);
}

void orr_sched_watch(struct orr_sched *sched, struct orr_task *task,
                     unsigned node)
{
    struct orr_missing missing;

    orr_sched_begin_watch(sched, task, node, &missing);
}

void orr_sched_prefetch_cache(const struct orr_sched *sched,
                              const struct orr_task *task, unsigned node)
{
    if (sched->host->prefetch_cache)
        sched->host->prefetch_cache(sched->host->data, task, node);
}

const struct orr_task *orr_sched_successor(const struct orr_sched *sched,
                                           const struct orr_task *task,
                                           const void **cursor,
                                           unsigned *predecessors)
{
    if (!sched->host->successor)
        return NULL;
    return sched->host->successor(sched->host->data, task, cursor,
                                  predecessors);
}

void orr_sched_prefetch(struct orr_sched *sched, struct orr_task *task,
                        unsigned worker)
{
    sched->host->prefetch(sched->host->data, task, worker);
}

void orr_sched_collide(struct orr_sched *sched, unsigned worker)
{
    if (sched->host->collide)
        sched->host->collide(sched->host->data, worker);
}

/* Wakes the first of @count workers that sleeps, beginning with the one that
 * the host chooses. */
static void wake_round(struct orr_sched *sched, const unsigned *workers,
                       unsigned count)
{
    unsigned first = sched->host->choose(sched->host->data, workers, count);

    for (unsigned i = 0; i < count; i++) {
        if (orr_sched_wake(sched, workers[(first + i) % count]))
            return;
    }
}

/* orr_sched_wake_any() for a host that chooses. */
static void wake_chosen(struct orr_sched *sched, const struct orr_task *task)
{
    const orr_time *durations = orr_sched_durations(sched, task);
    unsigned *able = g_new(unsigned, orr_sched_workers(sched));
    unsigned count = 0;

    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (durations[w] != ORR_NEVER)
            able[count++] = w;
    }
    if (count > 0)
        wake_round(sched, able, count);
    g_free(able);
}

void orr_sched_wake_any(struct orr_sched *sched, const struct orr_task *task)
{
    const orr_time *durations;

    if (sched->host->choose) {
        wake_chosen(sched, task);
        return;
    }
    durations = orr_sched_durations(sched, task);
    for (unsigned w = 0; w < orr_sched_workers(sched); w++) {
        if (durations[w] != ORR_NEVER && orr_sched_wake(sched, w))
            return;
    }
}

void orr_sched_check_failed(const struct orr_sched *sched,
                            const char *condition, const char *file, int line)
{
    g_autofree char *name = g_path_get_basename(file);

    if (sched->host->fail_check)
        sched->host->fail_check(
            sched->host->data,
            g_strdup_printf("finds at %s:%d that %s does not hold", name, line,
                            condition));
}

bool orr_sched_can_run(const struct orr_sched *sched,
                       const struct orr_task *task, unsigned worker)
{
    const struct orr_sched_host *host = sched->host;

    return host->can_run
               ? host->can_run(host->data, task, worker)
               : host->duration(host->data, task, worker) != ORR_NEVER;
}

void orr_sched_fail(const struct orr_sched *sched, const char *message)
{
    if (sched->host->fail)
        sched->host->fail(sched->host->data, message);
}

uint64_t orr_sched_seed(const struct orr_sched *sched)
{
    return sched->host->seed;
}

struct orr_sched_weights orr_sched_weights(const struct orr_sched *sched)
{
    static const struct orr_sched_weights plain = {1, 1, 1000, 0};
    const struct orr_sched_weights *weights = sched->host->weights;

    return weights ? *weights : plain;
}

struct orr_lock *orr_lock_new(struct orr_sched *sched, const char *name)
{
    const struct orr_lock_ops *ops = sched->host->locks;
    struct orr_lock *lock = ops->lock_new(sched->host->data, name);

    lock->ops = ops;
    return lock;
}

void orr_lock_free(struct orr_lock *lock)
{
    if (lock)
        lock->ops->lock_free(lock);
}

void orr_lock_acquire(struct orr_lock *lock)
{
    lock->ops->acquire(lock);
}

bool orr_lock_try(struct orr_lock *lock)
{
    return lock->ops->try_acquire(lock);
}

void orr_lock_release(struct orr_lock *lock)
{
    lock->ops->release(lock);
}

struct orr_cond *orr_cond_new(struct orr_sched *sched, const char *name)
{
    const struct orr_lock_ops *ops = sched->host->locks;
    struct orr_cond *cond = ops->cond_new(sched->host->data, name);

    cond->ops = ops;
    return cond;
}

void orr_cond_free(struct orr_cond *cond)
{
    if (cond)
        cond->ops->cond_free(cond);
}

void orr_cond_wait(struct orr_cond *cond, struct orr_lock *lock)
{
    cond->ops->wait(cond, lock);
}

void orr_cond_signal(struct orr_cond *cond)
{
    cond->ops->signal(cond);
}

void orr_cond_broadcast(struct orr_cond *cond)
{
    cond->ops->broadcast(cond);
}

/* A host without such locks, in a test of a policy, has one caller. */
static const struct orr_worker_lock_ops *
worker_locks(const struct orr_sched *sched)
{
    return sched->host->worker_locks;
}

void orr_sched_relax(struct orr_sched *sched, bool relaxed)
{
    if (worker_locks(sched))
        worker_locks(sched)->relax(sched->host->data, relaxed);
}

bool orr_sched_is_relaxed(const struct orr_sched *sched)
{
    return worker_locks(sched) &&
           worker_locks(sched)->is_relaxed(sched->host->data);
}

bool orr_sched_was_woken(const struct orr_sched *sched)
{
    return worker_locks(sched) &&
           worker_locks(sched)->was_woken(sched->host->data);
}

void orr_sched_lock_worker(struct orr_sched *sched, unsigned worker)
{
    if (worker_locks(sched))
        worker_locks(sched)->lock(sched->host->data, worker);
}

bool orr_sched_try_lock_worker(struct orr_sched *sched, unsigned worker)
{
    return !worker_locks(sched) ||
           worker_locks(sched)->try_lock(sched->host->data, worker);
}

void orr_sched_unlock_worker(struct orr_sched *sched, unsigned worker)
{
    if (worker_locks(sched))
        worker_locks(sched)->unlock(sched->host->data, worker);
}

bool orr_sched_wake_locked(struct orr_sched *sched, unsigned worker)
{
    return worker_locks(sched)
               ? worker_locks(sched)->wake_locked(sched->host->data, worker)
               : orr_sched_wake(sched, worker);
}

void orr_sched_sleep(struct orr_sched *sched, orr_time delay)
{
    if (worker_locks(sched))
        worker_locks(sched)->sleep(sched->host->data, delay);
}

void orr_sched_push_own(struct orr_sched *sched, struct orr_task *task,
                        unsigned worker)
{
    if (worker_locks(sched))
        worker_locks(sched)->push_own(sched->host->data, task, worker);
}

struct orr_run *orr_sched_run(const struct orr_sched *sched)
{
    return sched->host->run;
}

const void *orr_sched_data(const struct orr_sched *sched)
{
    return sched->ops->data;
}

bool orr_sched_in_call(const struct orr_sched *sched)
{
    return sched->host->in_call && sched->host->in_call(sched->host->data);
}

void orr_sched_use_priorities(struct orr_sched *sched, int max_priority)
{
    if (sched->host->use_priorities)
        sched->host->use_priorities(sched->host->data, max_priority);
}

void orr_sched_stop(struct orr_sched *sched, const char *does)
{
    orr_sched_stop_as(sched, ORR_ERROR_POLICY, does);
}

void orr_sched_stop_as(struct orr_sched *sched, int code, const char *does)
{
    if (sched->host->stop)
        sched->host->stop(sched->host->data, code, does);
}

void orr_sched_record_access(struct orr_sched *sched, const void *address,
                             size_t bytes, bool writes)
{
    if (sched->host->record_access)
        sched->host->record_access(sched->host->data, address, bytes, writes);
}

const void *orr_sched_calling_code(void)
{
    return orr_calling_code();
}

char *orr_sched_source_line(const void *code)
{
    return orr_source_line(code);
}

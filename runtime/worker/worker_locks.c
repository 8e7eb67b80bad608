/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/worker_locks.h"

#include "runtime/run.h"
#include "runtime/worker/lock.h"
#include "runtime/worker/policy_turns.h"
#include "runtime/worker/worker.h"

/* In lock-step, the operations; NULL: the plain interleaving. */
static const struct orr_policy_turns *turns(const struct orr_run *run)
{
    return run->turns->workers.policy;
}

void orr_worker_locks_begin(struct orr_run *run)
{
    struct orr_concurrency *concurrency = run->policy.concurrency;

    concurrency->worker_locks = g_new(struct orr_lock *, run->worker_count);
    for (unsigned i = 0; i < run->worker_count; i++) {
        g_autofree char *name =
            g_strconcat("of worker ", run->workers[i]->name, NULL);

        concurrency->worker_locks[i] = orr_policy_lock_ops.lock_new(run, name);
        concurrency->worker_locks[i]->ops = &orr_policy_lock_ops;
    }
}

void orr_worker_locks_end(struct orr_run *run)
{
    if (run->policy.concurrency)
        g_clear_pointer(&run->policy.concurrency->worker_locks, g_free);
}

/* Whether @caller is a worker in a call that others do not see into. */
static bool schedules(const struct orr_caller *caller)
{
    return caller->index != ORR_NO_WORKER &&
           (caller->call == ORR_CALL_PUSH || caller->call == ORR_CALL_POP);
}

/* The lock that @caller holds in push and pop; NULL: none. */
static struct orr_lock *own_lock(const struct orr_caller *caller)
{
    const struct orr_concurrency *concurrency = caller->run->policy.concurrency;

    return concurrency->worker_locks && schedules(caller) && !turns(caller->run)
               ? concurrency->worker_locks[caller->index]
               : NULL;
}

void orr_worker_locks_enter(struct orr_caller *caller)
{
    struct orr_lock *lock = own_lock(caller);

    caller->relaxed = 0;
    if (lock)
        orr_policy_lock_take(lock, caller);
}

void orr_worker_locks_leave(struct orr_caller *caller)
{
    struct orr_lock *lock = own_lock(caller);

    if (caller->relaxed > 0)
        orr_concurrency_fail(caller->run, "returns relaxed");
    if (lock)
        orr_policy_lock_give(lock, caller);
}

static void relax_caller(struct orr_caller *caller, bool relaxed)
{
    struct orr_lock *lock = own_lock(caller);

    if (!relaxed && caller->relaxed == 0) {
        orr_concurrency_fail(caller->run,
                             "ends to be relaxed without having begun");
        return;
    }
    if (turns(caller->run)) {
        if (schedules(caller))
            turns(caller->run)->relax(caller, relaxed);
        caller->relaxed += relaxed ? 1u : -1u;
        return;
    }
    if (relaxed && caller->relaxed++ == 0 && lock)
        orr_policy_lock_give(lock, caller);
    if (!relaxed && --caller->relaxed == 0 && lock)
        orr_policy_lock_take(lock, caller);
}

static void relax(void *data, bool relaxed)
{
    struct orr_caller *caller = orr_concurrency_caller(data);

    if (caller && caller->index != ORR_NO_WORKER)
        relax_caller(caller, relaxed);
}

static bool is_relaxed(void *data)
{
    const struct orr_caller *caller = orr_concurrency_caller(data);

    return caller && (caller->relaxed > 0 || !schedules(caller));
}

static bool was_woken(void *data)
{
    struct orr_run *run = data;
    const struct orr_caller *caller = orr_concurrency_caller(run);

    return caller && caller->index != ORR_NO_WORKER &&
           run->workers[caller->index]->actor.woken;
}

/* Whether the lock of @worker is the one that @caller holds in any case. */
static bool is_own(const struct orr_caller *caller, unsigned worker)
{
    return worker == caller->index && own_lock(caller) && caller->relaxed == 0;
}

static struct orr_lock *lock_of(struct orr_run *run, unsigned worker)
{
    return run->policy.concurrency->worker_locks[worker];
}

static void relax_for(struct orr_caller *caller, unsigned worker, bool relaxed)
{
    if (worker != caller->index && caller->index != ORR_NO_WORKER)
        relax_caller(caller, relaxed);
}

static void lock(void *data, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (!caller || is_own(caller, worker))
        return;
    relax_for(caller, worker, true);
    if (turns(run))
        turns(run)->lock_worker(caller, run->workers[worker]);
    else
        orr_lock_acquire(lock_of(run, worker));
}

static bool try_lock(void *data, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = orr_concurrency_caller(run);
    bool locked;

    if (!caller || is_own(caller, worker))
        return true;
    if (turns(run)) {
        locked = turns(run)->try_lock_worker(caller, run->workers[worker]);
        caller->relaxed += locked && worker != caller->index;
        return locked;
    }
    relax_for(caller, worker, true);
    locked = orr_lock_try(lock_of(run, worker));
    if (!locked)
        relax_for(caller, worker, false);
    return locked;
}

static void unlock(void *data, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = orr_concurrency_caller(run);

    if (!caller || is_own(caller, worker))
        return;
    if (turns(run))
        turns(run)->unlock_worker(caller, run->workers[worker]);
    else
        orr_lock_release(lock_of(run, worker));
    relax_for(caller, worker, false);
}

static bool wake_locked(void *data, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = orr_concurrency_caller(run);

    return caller && turns(run)
               ? turns(run)->wake_locked(caller, run->workers[worker])
               : run->policy.host.wake(run, worker);
}

static void sleep_for(void *data, orr_time delay)
{
    struct orr_caller *caller = orr_concurrency_caller(data);

    if (!caller)
        return;
    caller->delay = delay;
    orr_caller_pause(caller, ORR_PAUSE_SLEEP);
}

static void push_own(void *data, struct orr_task *task, unsigned worker)
{
    const struct orr_run *run = data;

    orr_worker_push_own(run->workers[worker], orr_job_of(task));
}

const struct orr_worker_lock_ops orr_policy_worker_lock_ops = {
    .relax = relax,
    .is_relaxed = is_relaxed,
    .was_woken = was_woken,
    .lock = lock,
    .try_lock = try_lock,
    .unlock = unlock,
    .wake_locked = wake_locked,
    .sleep = sleep_for,
    .push_own = push_own,
};

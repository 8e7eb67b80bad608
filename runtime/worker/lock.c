/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks and conditions of a concurrent policy in simulated time. A caller that
 * has to wait queues itself and suspends its coroutine (orr_caller_pause()); a
 * release resumes the first waiter, or the one that the decider chooses, which
 * takes the lock unless another caller is faster. Each operation is framed by
 * orr_preempt_before() and orr_preempt_after(), and ordered for the race
 * detector. Misuse (a lock that is not held, a return with a lock) ends the run
 * with an error.
 */
#include "runtime/worker/lock.h"

#include "runtime/engine/decision.h"
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/policy_turns.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/steps.h"

/* How long it takes to try a lock that is held: about as long as to fetch a
 * cache line that another core has written. */
#define TRY_TIME ((orr_time)100)

static struct orr_policy_lock *lock_of(struct orr_lock *lock)
{
    return (struct orr_policy_lock *)lock;
}

static struct orr_policy_cond *cond_of(struct orr_cond *cond)
{
    return (struct orr_policy_cond *)cond;
}

static void append(struct orr_callers *callers, struct orr_caller *caller)
{
    caller->next = NULL;
    if (callers->first)
        callers->last->next = caller;
    else
        callers->first = caller;
    callers->last = caller;
}

/* The first, unless a decider prefers another. */
static struct orr_caller *choose(struct orr_concurrency *concurrency,
                                 const struct orr_callers *callers)
{
    struct orr_decider *decider = concurrency->run->engine.decider;
    struct orr_caller *chosen = callers->first;
    unsigned count = 0;

    if (!decider)
        return chosen;
    for (const struct orr_caller *caller = chosen; caller;
         caller = caller->next) {
        if (count < ORR_MOST_OPTIONS)
            concurrency->indices[count++] = caller->index;
    }
    if (count < 2)
        return chosen;
    count = orr_decide(decider, ORR_DECIDE_LOCK, count, concurrency->indices);
    for (; count > 0 && chosen->next; count--)
        chosen = chosen->next;
    return chosen;
}

static void remove_caller(struct orr_callers *callers,
                          const struct orr_caller *caller)
{
    struct orr_caller *before = NULL;

    for (struct orr_caller *c = callers->first; c != caller; c = c->next)
        before = c;
    if (before)
        before->next = caller->next;
    else
        callers->first = caller->next;
    if (callers->last == caller)
        callers->last = before;
}

/* The worker that acts, even outside of a call, or ORR_NO_WORKER. */
static unsigned acting(const struct orr_run *run)
{
    return run->policy.host.caller(run->policy.host.data);
}

static bool holds(const struct orr_policy_lock *lock)
{
    return lock->held && lock->owner == acting(lock->concurrency->run);
}

/* For "... holds". */
static const char *holder(const struct orr_policy_lock *lock)
{
    return lock->held ? orr_caller_name(lock->concurrency->run, lock->owner)
                      : "nobody";
}

static void take(struct orr_policy_lock *lock, struct orr_caller *caller)
{
    lock->held = true;
    lock->owner = acting(lock->concurrency->run);
    if (!caller)
        return;
    caller->held++;
    caller->locks |= lock->bit;
    orr_accesses_acquire_lock(caller, lock);
}

/* In lock-step, the operations in a call; else NULL. */
static const struct orr_policy_turns *turns(const struct orr_policy_lock *lock,
                                            const struct orr_caller *caller)
{
    return caller ? lock->concurrency->run->turns->workers.policy : NULL;
}

static void give(struct orr_policy_lock *lock, struct orr_caller *caller)
{
    lock->held = false;
    if (caller) {
        caller->held--;
        caller->locks &= ~lock->bit;
        orr_accesses_release_lock(caller, lock);
    }
    if (turns(lock, caller)) {
        turns(lock, caller)->unlock(caller, &lock->turns);
        return;
    }
    if (lock->waiters.first) {
        struct orr_caller *next = choose(lock->concurrency, &lock->waiters);

        remove_caller(&lock->waiters, next);
        orr_actor_resume(next->actor);
    }
}

static void take_once_free(struct orr_policy_lock *lock,
                           struct orr_caller *caller)
{
    if (turns(lock, caller)) {
        caller->awaited = lock;
        turns(lock, caller)->lock(caller, &lock->turns);
    }
    while (lock->held) {
        append(&lock->waiters, caller);
        caller->awaited = lock;
        orr_steps_wait(caller, "waits for lock", lock->name);
        orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
    }
    if (caller)
        caller->awaited = NULL;
    take(lock, caller);
}

void orr_policy_lock_take(struct orr_lock *lock, struct orr_caller *caller)
{
    take_once_free(lock_of(lock), caller);
}

void orr_policy_lock_give(struct orr_lock *lock, struct orr_caller *caller)
{
    give(lock_of(lock), caller);
}

static void free_lock(void *object)
{
    struct orr_policy_lock *lock = object;

    g_free(lock->name);
    g_free(lock);
}

static void free_cond(void *object)
{
    struct orr_policy_cond *cond = object;

    g_free(cond->name);
    g_free(cond);
}

/* It is an error if a call returns while its caller holds a lock. */
static void check_returned(struct orr_caller *caller)
{
    if (caller->held > 0)
        orr_concurrency_fail(caller->run, "returns while it holds lock %s",
                             orr_run_held_lock(caller->run, caller->index, 0));
}

/* Creates the concurrency of @run if need be, and prepares it for locks. */
static struct orr_concurrency *get_concurrency(struct orr_run *run)
{
    if (!run->policy.concurrency)
        run->policy.concurrency = orr_concurrency_new(run);
    run->policy.concurrency->check_returned = check_returned;
    g_ptr_array_set_free_func(run->policy.concurrency->locks, free_lock);
    g_ptr_array_set_free_func(run->policy.concurrency->conds, free_cond);
    return run->policy.concurrency;
}

static struct orr_lock *lock_new(void *data, const char *name)
{
    struct orr_run *run = data;
    struct orr_policy_lock *lock = g_new0(struct orr_policy_lock, 1);

    lock->concurrency = get_concurrency(run);
    lock->name = g_strdup(name);
    lock->bit = UINT64_C(1) << lock->concurrency->locks->len % 64;
    g_ptr_array_add(lock->concurrency->locks, lock);
    return &lock->lock;
}

static void lock_free(struct orr_lock *handle)
{
    struct orr_policy_lock *lock = lock_of(handle);
    struct orr_concurrency *concurrency = lock->concurrency;

    if (lock->held && !concurrency->run->closing) {
        orr_concurrency_fail(concurrency->run, "frees lock %s, which %s holds",
                             lock->name, holder(lock));
        return;
    }
    g_ptr_array_remove(concurrency->locks, lock); /* and frees it */
}

static void acquire(struct orr_lock *handle)
{
    struct orr_policy_lock *lock = lock_of(handle);
    struct orr_run *run = lock->concurrency->run;
    struct orr_caller *caller = orr_concurrency_caller(run);
    const struct orr_operation operation = {
        .verb = "acquires lock",
        .name = lock->name,
        .object = lock,
        .acquires = true,
    };

    orr_preempt_before(run, &operation);
    if (holds(lock)) {
        orr_concurrency_fail(run, "acquires lock %s, which it holds already",
                             lock->name);
        return;
    }
    if (!caller && lock->held) {
        orr_concurrency_fail(run, "acquires lock %s, which %s holds",
                             lock->name, holder(lock));
        return;
    }
    take_once_free(lock, caller);
    orr_preempt_after(run, &operation);
}

static bool attempt(struct orr_policy_lock *lock, struct orr_caller *caller)
{
    struct orr_operation operation = {.verb = "tries lock",
                                      .name = lock->name,
                                      .object = lock,
                                      .tries = true};
    bool is_free;

    orr_preempt_before(lock->concurrency->run, &operation);
    if (turns(lock, caller)) {
        is_free = turns(lock, caller)->try_lock(caller, &lock->turns);
        if (is_free)
            take(lock, caller);
        return is_free;
    }
    is_free = !lock->held;
    operation.acquires = is_free;
    if (is_free) {
        take(lock, caller);
    } else if (caller) {
        caller->delay = TRY_TIME;
        orr_caller_pause(caller, ORR_PAUSE_SLEEP);
    }
    orr_preempt_after(lock->concurrency->run, &operation);
    return is_free;
}

static bool try_acquire(struct orr_lock *handle)
{
    struct orr_policy_lock *lock = lock_of(handle);
    struct orr_caller *caller = orr_concurrency_caller(lock->concurrency->run);
    bool taken;

    if (!caller)
        return attempt(lock, NULL);
    caller->awaited = lock;
    caller->tries = true;
    taken = attempt(lock, caller);
    caller->awaited = NULL;
    caller->tries = false;
    return taken;
}

static void release(struct orr_lock *handle)
{
    struct orr_policy_lock *lock = lock_of(handle);
    struct orr_run *run = lock->concurrency->run;
    const struct orr_operation operation = {.verb = "releases lock",
                                            .name = lock->name,
                                            .object = lock,
                                            .releases = true};

    if (!holds(lock)) {
        orr_concurrency_fail(run, "releases lock %s, which %s holds",
                             lock->name, holder(lock));
        return;
    }
    orr_preempt_before(run, &operation);
    give(lock, orr_concurrency_caller(run));
    orr_preempt_after(run, &operation);
}

static struct orr_cond *cond_new(void *data, const char *name)
{
    struct orr_run *run = data;
    struct orr_policy_cond *cond = g_new0(struct orr_policy_cond, 1);

    cond->concurrency = get_concurrency(run);
    cond->name = g_strdup(name);
    g_ptr_array_add(cond->concurrency->conds, cond);
    return &cond->cond;
}

static void cond_free(struct orr_cond *handle)
{
    struct orr_policy_cond *cond = cond_of(handle);
    struct orr_concurrency *concurrency = cond->concurrency;

    if (cond->waiters.first && !concurrency->run->closing) {
        orr_concurrency_fail(
            concurrency->run, "frees condition %s, on which %s waits",
            cond->name,
            orr_caller_name(concurrency->run, cond->waiters.first->index));
        return;
    }
    g_ptr_array_remove(concurrency->conds, cond); /* and frees it */
}

static void cond_wait(struct orr_cond *handle, struct orr_lock *with)
{
    struct orr_policy_cond *cond = cond_of(handle);
    struct orr_policy_lock *lock = lock_of(with);
    struct orr_run *run = cond->concurrency->run;
    struct orr_caller *caller = orr_concurrency_caller(run);
    struct orr_operation operation = {
        .verb = "waits on condition", .name = cond->name, .object = cond};

    if (!caller || !holds(lock)) {
        orr_concurrency_fail(
            run,
            caller ? "waits on condition %s without holding lock %s"
                   : "waits on condition %s with lock %s: nobody could wake it",
            cond->name, lock->name);
        return;
    }
    orr_preempt_before(run, &operation);
    append(&cond->waiters, caller);
    caller->signaller = cond;
    orr_steps_wait(caller, operation.verb, operation.name);
    orr_caller_mark_waiting(caller);
    give(lock, caller);
    while (caller->signaller)
        orr_caller_pause(caller, ORR_PAUSE_SUSPEND);
    take_once_free(lock, caller);
    operation.verb = "has been woken by condition";
    orr_preempt_after(run, &operation);
}

static void wake(struct orr_policy_cond *cond)
{
    struct orr_caller *caller = choose(cond->concurrency, &cond->waiters);

    remove_caller(&cond->waiters, caller);
    caller->signaller = NULL;
    orr_actor_resume(caller->actor);
}

/* Wakes one waiter, or all. */
static void wake_some(struct orr_policy_cond *cond, bool all)
{
    struct orr_run *run = cond->concurrency->run;
    const struct orr_operation operation = {
        .verb = "signals condition", .name = cond->name, .object = cond};

    orr_preempt_before(run, &operation);
    if (!cond->waiters.first) {
        cond->missed = true;
        cond->missed_at = run->engine.now;
    }
    for (bool more = true; more && cond->waiters.first; more = all)
        wake(cond);
    orr_preempt_after(run, &operation);
}

static void cond_signal(struct orr_cond *handle)
{
    wake_some(cond_of(handle), false);
}

static void cond_broadcast(struct orr_cond *handle)
{
    wake_some(cond_of(handle), true);
}

const struct orr_lock_ops orr_policy_lock_ops = {
    .lock_new = lock_new,
    .lock_free = lock_free,
    .acquire = acquire,
    .try_acquire = try_acquire,
    .release = release,
    .cond_new = cond_new,
    .cond_free = cond_free,
    .wait = cond_wait,
    .signal = cond_signal,
    .broadcast = cond_broadcast,
};

const char *orr_run_held_lock(const struct orr_run *run, unsigned index,
                              unsigned i)
{
    for (guint l = 0;
         run->policy.concurrency && l < run->policy.concurrency->locks->len;
         l++) {
        const struct orr_policy_lock *lock =
            run->policy.concurrency->locks->pdata[l];

        if (lock->held && lock->owner == index && i-- == 0)
            return lock->name;
    }
    return NULL;
}

static bool waits(const struct orr_caller *caller)
{
    return caller->awaited || caller->signaller;
}

bool orr_run_blocked(const struct orr_run *run, unsigned index,
                     struct orr_blocked *blocked)
{
    const struct orr_concurrency *concurrency = run->policy.concurrency;
    const struct orr_caller *caller;
    unsigned i = index == ORR_NO_WORKER ? run->worker_count : index;

    if (!concurrency)
        return false;
    while (index == ORR_NO_WORKER && i + 1 < concurrency->count &&
           !waits(&concurrency->callers[i]))
        i++;
    caller = &concurrency->callers[i];
    if (!waits(caller))
        return false;
    *blocked = (struct orr_blocked){
        .call = orr_policy_call_name(caller->call),
        .tries = caller->tries,
    };
    if (caller->signaller) {
        blocked->cond = caller->signaller->name;
        blocked->missed = caller->signaller->missed;
        blocked->missed_at = caller->signaller->missed_at;
    } else {
        blocked->lock = caller->awaited->name;
        blocked->held = caller->awaited->held;
        blocked->owner = caller->awaited->owner;
    }
    return true;
}

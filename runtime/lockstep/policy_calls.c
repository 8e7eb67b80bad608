/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The operations of a policy that makes StarPU's calls itself. The policy runs
 * in a coroutine; the actor of the caller performs each operation, most of them
 * as a short lock script, while the coroutine waits.
 */
#include "runtime/lockstep/members.h"
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/script.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"

/* An operation, on the stack of the coroutine. */
struct call {
    const struct orr_caller *caller;
    const struct script_entry *first;
    struct orr_worker *other; /* the worker that it is about; or NULL */
    struct orr_job *job;      /* the task; or NULL */
    unsigned node;
    bool result;
};

static struct orr_worker *self_of(const struct orr_caller *caller)
{
    return caller->index == ORR_NO_WORKER ? NULL
                                          : caller->run->workers[caller->index];
}

static enum orr_next begin_script(struct orr_actor *actor, void *arguments)
{
    struct call *call = arguments;
    struct script *script = orr_script_call(actor, call->caller->run,
                                            self_of(call->caller), call->first);

    script->other = script->receiver = call->other;
    script->job = call->job;
    script->next_worker = call->node;
    script->result = &call->result;
    return ORR_CONTINUE;
}

static bool perform(struct orr_caller *caller, struct call *call)
{
    call->caller = caller;
    orr_caller_perform(caller, begin_script, call);
    return call->result;
}

/* ---- locks of the policy ---- */

static enum orr_next begin_lock(struct orr_actor *actor, void *mutex)
{
    return orr_lockstep_lock(mutex, actor);
}

static enum orr_next begin_unlock(struct orr_actor *actor, void *mutex)
{
    return orr_lockstep_unlock(mutex, actor);
}

static enum orr_next begin_tick(struct orr_actor *actor, void *unused)
{
    (void)unused;
    return orr_lockstep_pass(actor, 1);
}

static void lock(struct orr_caller *caller, struct orr_mutex *mutex)
{
    orr_caller_perform(caller, begin_lock, mutex);
}

static bool try_lock(struct orr_caller *caller, struct orr_mutex *mutex)
{
    bool is_free = !mutex->owner;

    if (is_free)
        orr_mutex_try(mutex, caller->actor);
    orr_caller_perform(caller, begin_tick, NULL);
    return is_free;
}

static void unlock(struct orr_caller *caller, struct orr_mutex *mutex)
{
    orr_caller_perform(caller, begin_unlock, mutex);
}

/* ---- locks of workers ---- */

static void relax(struct orr_caller *caller, bool relaxed)
{
    static const struct script_entry opening[] = {{OPEN, NULL}, {CALL, NULL}};
    static const struct script_entry closing[] = {{CLOSE, NULL}, {CALL, NULL}};
    struct call call = {.first = relaxed ? opening : closing};

    perform(caller, &call);
}

static enum orr_next await_open(struct orr_actor *actor, struct script *script)
{
    return script->other != script->self &&
                   orr_lockstep_worker(script->other)->closed
               ? orr_script_await_other(actor, script)
               : ORR_CONTINUE;
}

static void lock_worker(struct orr_caller *caller, struct orr_worker *worker)
{
    static const struct script_entry locking[] = {
        {LOCK_OTHER, NULL}, {CALL, await_open}, {CALL, NULL}};
    struct call call = {.first = locking, .other = worker};

    perform(caller, &call);
}

static void unlock_worker(struct orr_caller *caller, struct orr_worker *worker)
{
    unlock(caller, orr_worker_state_lock(worker));
}

/* _starpu_worker_trylock(): its own lock, the lock of the other one, which
 * must be open; then it opens its own state. */
static bool try_lock_worker(struct orr_caller *caller,
                            struct orr_worker *worker)
{
    struct orr_worker *self = self_of(caller);
    bool locked;

    if (!self || !try_lock(caller, orr_worker_state_lock(self)))
        return false;
    if (worker == self)
        return true;
    locked = try_lock(caller, orr_worker_state_lock(worker));
    if (locked && orr_lockstep_worker(worker)->closed) {
        unlock_worker(caller, worker);
        locked = false;
    }
    if (locked && self->scheduling) {
        orr_worker_state_open(self);
        orr_caller_perform(caller, begin_tick, NULL);
    }
    unlock_worker(caller, self);
    return locked;
}

/* ---- wake-ups ---- */

static enum orr_next begin_wake(struct orr_actor *actor, void *arguments)
{
    struct call *call = arguments;

    orr_waking_call(actor, self_of(call->caller), call->other, &call->result);
    return ORR_CONTINUE;
}

static bool wake(struct orr_caller *caller, struct orr_worker *worker)
{
    struct call call = {.caller = caller, .other = worker};

    orr_caller_perform(caller, begin_wake, &call);
    return call.result;
}

static enum orr_next begin_wake_locked(struct orr_actor *actor, void *arguments)
{
    struct call *call = arguments;

    call->result = orr_worker_mark_woken(call->other);
    return orr_script_signal(actor, call->other);
}

static bool wake_locked(struct orr_caller *caller, struct orr_worker *worker)
{
    struct call call = {.caller = caller, .other = worker};

    orr_caller_perform(caller, begin_wake_locked, &call);
    return call.result;
}

/* ---- questions ---- */

static void ask_model(struct orr_caller *caller, struct orr_job *job)
{
    static const struct script_entry asking[] = {{CALL, orr_script_ask_model},
                                                 {CALL, NULL}};
    struct call call = {.first = asking, .job = job};

    perform(caller, &call);
}

static enum orr_next await_data(struct orr_actor *actor, struct script *script)
{
    struct orr_spinlock *taken =
        orr_script_find_taken(script, script->next_worker);

    if (!taken)
        return ORR_CONTINUE;
    orr_spinlock_await(actor, taken);
    return orr_script_repeat(script);
}

static void ask_transfer(struct orr_caller *caller, struct orr_job *job,
                         unsigned node)
{
    static const struct script_entry asking[] = {{CALL, await_data},
                                                 {CALL, NULL}};
    struct call call = {.first = asking, .job = job, .node = node};

    perform(caller, &call);
}

static void prefetch(struct orr_caller *caller, struct orr_job *job,
                     struct orr_worker *worker)
{
    static const struct script_entry fetching[] = {{CALL, orr_script_prefetch},
                                                   {CALL, NULL}};
    struct call call = {.first = fetching, .job = job, .other = worker};

    perform(caller, &call);
}

const struct orr_policy_turns orr_policy_turns_lockstep = {
    .lock = lock,
    .try_lock = try_lock,
    .unlock = unlock,
    .relax = relax,
    .lock_worker = lock_worker,
    .try_lock_worker = try_lock_worker,
    .unlock_worker = unlock_worker,
    .wake = wake,
    .wake_locked = wake_locked,
    .ask_model = ask_model,
    .ask_transfer = ask_transfer,
    .prefetch = prefetch,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/lockstep/script.h"

#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"

enum { IF_ASLEEP = 1 }; /* ticks: to signal a sleeping worker takes one more */

static struct orr_mutex *common_lock(const struct orr_run *run,
                                     enum orr_common_lock lock)
{
    return &orr_lockstep_run(&run->engine)->common[lock];
}

/* The lock that @entry locks or unlocks; NULL: none. */
static struct orr_mutex *lock_of(const struct script *script,
                                 const struct script_entry *entry)
{
    switch (entry->kind) {
    case LOCK_SELF:
    case UNLOCK_SELF:
        return orr_worker_state_lock(script->self);
    case LOCK_OTHER:
    case UNLOCK_OTHER:
        return orr_worker_state_lock(script->other);
    case LOCK_POLICY:
    case UNLOCK_POLICY:
        return common_lock(script->run, ORR_LOCK_POLICY);
    case LOCK_DECISION:
    case UNLOCK_DECISION:
        return common_lock(script->run, ORR_LOCK_DECISION);
    case LOCK_UNKNOWN:
    case UNLOCK_UNKNOWN:
        return common_lock(script->run, ORR_LOCK_UNKNOWN);
    case LOCK_QUEUE:
    case UNLOCK_QUEUE:
        return &orr_lockstep_worker(script->receiver)->queue;
    case LOCK_PLAN:
    case UNLOCK_PLAN:
        return &orr_lockstep_worker(script->self)->plan;
    case CALL:
    case OPEN:
    case CLOSE:
        break;
    }
    return NULL;
}

static enum orr_next execute(struct orr_actor *actor, void *locals)
{
    struct script *script = locals;
    const struct script_entry *entry = script->next++;
    struct orr_worker *self = script->self;

    switch (entry->kind) {
    case CALL:
        return entry->call ? entry->call(actor, script) : ORR_DONE;
    case LOCK_SELF:
    case LOCK_OTHER:
    case LOCK_POLICY:
    case LOCK_DECISION:
    case LOCK_UNKNOWN:
    case LOCK_QUEUE:
    case LOCK_PLAN:
        return orr_lockstep_lock(lock_of(script, entry), actor);
    case UNLOCK_SELF:
    case UNLOCK_OTHER:
    case UNLOCK_POLICY:
    case UNLOCK_DECISION:
    case UNLOCK_UNKNOWN:
    case UNLOCK_QUEUE:
    case UNLOCK_PLAN:
        return orr_lockstep_unlock(lock_of(script, entry), actor);
    case OPEN:
    case CLOSE:
        break;
    }
    return orr_worker_state_set_open(actor, self == script->other ? NULL : self,
                                     entry->kind == OPEN);
}

struct script *orr_script_call(struct orr_actor *actor, struct orr_run *run,
                               struct orr_worker *self,
                               const struct script_entry *first)
{
    struct script *script = orr_actor_call(actor, execute, sizeof(*script));

    script->run = run;
    script->self = self;
    script->next = first;
    return script;
}

enum orr_next orr_script_jump(struct script *script,
                              const struct script_entry *next)
{
    script->next = next;
    return ORR_CONTINUE;
}

enum orr_next orr_script_repeat(struct script *script)
{
    script->next--;
    return ORR_CONTINUE;
}

enum orr_next orr_script_await_other(struct orr_actor *actor,
                                     struct script *script)
{
    script->next--;
    return orr_worker_state_await_open(actor, script->other);
}

enum orr_next orr_script_ask_model(struct orr_actor *actor,
                                   struct script *script)
{
    struct orr_active *active = script->job->active;

    if (orr_job_kernel(&script->run->graph, script->job)->joules)
        return ORR_CONTINUE;
    orr_point(actor->engine,
              active->asked ? ORR_POINT_MODEL_ASKED : ORR_POINT_MODEL_FIRST,
              script->job);
    active->asked = true;
    return orr_actor_pass(actor);
}

struct orr_spinlock *orr_script_find_taken(struct script *script, unsigned node)
{
    const struct orr_job *job = script->job;
    const struct orr_engine *engine = &script->run->engine;

    for (; script->next_access < job->access_count; script->next_access++) {
        const struct orr_job_access *access =
            &job->accesses[script->next_access];
        struct orr_data *data = orr_access_data(access);

        if (!(orr_access_mode(access) & ORR_R) ||
            ((data->valid | data->awaited) >> node & 1))
            continue;
        if (orr_spinlock_is_taken(&data->lock, engine))
            return &data->lock;
    }
    script->next_access = 0;
    return NULL;
}

enum orr_next orr_script_prefetch(struct orr_actor *actor,
                                  struct script *script)
{
    struct orr_run *run = script->run;
    struct orr_job *job = script->job;
    struct orr_spinlock *lock;

    if (script->next_access == job->access_count) {
        script->next_access = 0;
        return ORR_CONTINUE;
    }
    script->next--;
    lock = &orr_access_data(&job->accesses[script->next_access])->lock;
    if (orr_spinlock_is_taken(lock, actor->engine)) {
        orr_spinlock_await(actor, lock);
        return ORR_CONTINUE;
    }
    orr_access_prefetch(run, job, script->next_access++,
                        script->receiver->device);
    return orr_actor_pass(actor);
}

/* Wake-ups (workers.c: starpu_wake_worker_relax_light(),
 * starpu_wake_worker_locked()). */

enum orr_next orr_script_signal(struct orr_actor *actor,
                                struct orr_worker *worker)
{
    orr_lockstep_add_ticks(actor->engine, 1);
    if (orr_lockstep_worker(worker)->awaits_kernel)
        orr_lockstep_add_ticks(actor->engine, ORR_SIGNAL_TICKS);
    orr_actor_signal(&worker->actor);
    return orr_lockstep_pass(actor, 1 + (worker->sleeping ? IF_ASLEEP : 0));
}

static enum orr_next wake_other(struct orr_actor *actor, struct script *script)
{
    struct orr_worker *worker = script->other;

    if (script->self == worker || !orr_lockstep_worker(worker)->closed) {
        *script->result = orr_worker_mark_woken(worker);
        return orr_script_signal(actor, worker);
    }
    if (!worker->scheduling)
        return orr_script_await_other(actor, script);
    /* It is about to pop, or has just done so. */
    worker->actor.woken = true;
    *script->result = true;
    return ORR_CONTINUE;
}

static const struct script_entry waking[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, wake_other},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, NULL},
};

void orr_waking_call(struct orr_actor *actor, struct orr_worker *by,
                     struct orr_worker *worker, bool *woken)
{
    struct script *script = orr_script_call(actor, worker->run, by, waking);

    script->other = worker;
    script->result = woken;
}

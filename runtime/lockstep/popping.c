/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pops and steals: see scheduling.h. */
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/script.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"

/* Turns. */
enum {
    SET_STATUS = 2, /* sets the status of a worker, for statistics */
    LEAVE_CPU = 1,  /* notify the actors that wait for the state to open */
    LEAVE_GPU = 2   /* the same, and unlock once more */
};

static const struct script_entry end[] = {{CALL, NULL}};

/* Steals (work_stealing_policy.c: ws_pop_task()). */

static enum orr_next end_steal(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, script->then);
}

static enum orr_next choose_victim(struct orr_actor *actor,
                                   struct script *script)
{
    struct orr_run *run = script->run;
    unsigned victim = run->policy.queueing->steal->victim(run->policy.sched,
                                                          script->self->index);

    (void)actor;
    script->other = victim == ORR_NO_WORKER ? NULL : run->workers[victim];
    return ORR_CONTINUE;
}

static enum orr_next sleep_a_moment(struct orr_actor *actor,
                                    struct script *script)
{
    (void)script;
    return orr_actor_sleep(actor, ORR_US);
}

static enum orr_next signal_oneself(struct orr_actor *actor,
                                    struct script *script)
{
    return orr_script_signal(actor, script->self);
}

static enum orr_next stay_awake(struct orr_actor *actor, struct script *script)
{
    script->self->actor.woken = true;
    return orr_lockstep_unlock(orr_worker_state_lock(script->self), actor);
}

/* A lock was taken, or a state closed: the worker tries again later. */
static const struct script_entry steal_fails[] = {
    {UNLOCK_SELF, NULL},    {CALL, sleep_a_moment}, {LOCK_SELF, NULL},
    {CALL, signal_oneself}, {CALL, stay_awake},     {CALL, end_steal},
};

/* Tries to lock the state of @worker; if it is taken, continues with
 * @otherwise. */
static enum orr_next try_lock(struct orr_actor *actor, struct script *script,
                              const struct orr_worker *worker,
                              const struct script_entry *otherwise)
{
    struct orr_mutex *lock = orr_worker_state_lock(worker);

    if (!lock->owner)
        return orr_lockstep_lock(lock, actor);
    script->next = otherwise;
    return orr_lockstep_pass(actor, 1);
}

static enum orr_next try_own_lock(struct orr_actor *actor,
                                  struct script *script)
{
    /* It has no lock to give back yet. */
    return script->other
               ? try_lock(actor, script, script->self, steal_fails + 1)
               : end_steal(actor, script);
}

static enum orr_next try_victim(struct orr_actor *actor, struct script *script)
{
    return try_lock(actor, script, script->other, steal_fails);
}

/* The worker opens its own state, whose lock it holds. */
static enum orr_next check_victim(struct orr_actor *actor,
                                  struct script *script)
{
    if (orr_lockstep_worker(script->other)->closed) {
        script->next = steal_fails;
        return orr_lockstep_unlock(orr_worker_state_lock(script->other), actor);
    }
    orr_worker_state_open(script->self);
    return orr_lockstep_pass(actor, 1);
}

static enum orr_next take_task(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    *script->stolen = run->policy.queueing->steal->take(
        run->policy.sched, script->self->index, script->other->index);
    return orr_lockstep_unlock(orr_worker_state_lock(script->other), actor);
}

static enum orr_next conclude_steal(struct orr_actor *actor,
                                    struct script *script)
{
    struct orr_run *run = script->run;

    run->policy.queueing->steal->conclude(run->policy.sched,
                                          script->self->index, *script->stolen);
    return end_steal(actor, script);
}

static const struct script_entry stealing[] = {
    {CALL, choose_victim}, {CLOSE, NULL},        {CALL, try_own_lock},
    {CALL, try_victim},    {CALL, check_victim}, {UNLOCK_SELF, NULL},
    {CALL, take_task},     {CLOSE, NULL},        {CALL, conclude_steal},
};

void orr_steal_call(struct orr_actor *actor, struct orr_worker *worker,
                    struct orr_task **task)
{
    struct script *script =
        orr_script_call(actor, worker->run, worker, stealing);

    script->then = end;
    script->stolen = task;
}

/* Pops (pop_task of the policies, driver_common.c). */

static enum orr_next enter(struct orr_actor *actor, struct script *script)
{
    struct orr_worker *worker = script->self;

    orr_lockstep_worker(worker)->closed = true;
    if (worker->scheduling)
        return ORR_CONTINUE;
    worker->scheduling = true;
    return orr_lockstep_pass(actor, SET_STATUS);
}

/* Its status changes if it was asleep, or falls asleep. */
static enum orr_next conclude(struct orr_actor *actor, struct script *script)
{
    struct orr_worker *worker = script->self;
    bool slept = worker->sleeping;
    bool found = orr_worker_end_pop(worker, script->task);
    bool begins = script->task || (worker->device != ORR_RAM && found);

    *script->result = found;
    return orr_lockstep_pass(actor, SET_STATUS * (begins ? 1 + slept : !slept));
}

static enum orr_next open_state(struct orr_actor *actor, struct script *script)
{
    struct orr_worker *worker = script->self;

    orr_worker_state_open(worker);
    return orr_lockstep_pass(actor,
                             worker->device == ORR_RAM ? LEAVE_CPU : LEAVE_GPU);
}

const struct script_entry orr_pop_end[] = {
    {LOCK_SELF, NULL},   {CALL, conclude}, {CALL, open_state},
    {UNLOCK_SELF, NULL}, {CALL, NULL},
};

static const struct script_entry pop_shared_end[] = {
    {UNLOCK_POLICY, NULL}, {LOCK_SELF, NULL},   {CALL, conclude},
    {CALL, open_state},    {UNLOCK_SELF, NULL}, {CALL, NULL},
};

static enum orr_next pop_from_all(struct orr_actor *actor,
                                  struct script *script)
{
    struct orr_run *run = script->run;

    script->task = orr_sched_pop(run->policy.sched, script->self->index);
    orr_lockstep_run(&run->engine)->queued -= script->task != NULL;
    (void)actor;
    return orr_script_jump(script, pop_shared_end);
}

static const struct script_entry pop_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, pop_from_all}};

/* From a policy with buckets (heteroprio.c: pop_task_heteroprio_policy()). */

static const struct script_entry search_victim[7], prefetch_added[2];

static enum orr_next fill_queue(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;
    const struct orr_sched_buckets *buckets = run->policy.queueing->buckets;

    (void)actor;
    script->added = buckets->fill(run->policy.sched, script->self->index);
    script->task = buckets->own(run->policy.sched, script->self->index);
    script->next_worker = 1;
    return orr_script_jump(script,
                           script->task ? prefetch_added : search_victim);
}

static enum orr_next find_victim(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;
    unsigned victim = script->task ? ORR_NO_WORKER
                                   : run->policy.queueing->buckets->victim(
                                         run->policy.sched, script->self->index,
                                         &script->next_worker);

    (void)actor;
    script->other = NULL;
    if (victim == ORR_NO_WORKER)
        return orr_script_jump(script, prefetch_added);
    script->other = run->workers[victim];
    return ORR_CONTINUE;
}

static enum orr_next steal_from_victim(struct orr_actor *actor,
                                       struct script *script)
{
    struct orr_run *run = script->run;

    if (orr_lockstep_worker(script->other)->closed)
        return orr_script_await_other(actor, script);
    script->task = run->policy.queueing->buckets->take(
        run->policy.sched, script->self->index, script->other->index);
    return ORR_CONTINUE;
}

static enum orr_next search_on(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, search_victim);
}

static const struct script_entry search_victim[] = {
    {CALL, find_victim},       {OPEN, NULL},         {LOCK_OTHER, NULL},
    {CALL, steal_from_victim}, {UNLOCK_OTHER, NULL}, {CLOSE, NULL},
    {CALL, search_on},
};

static const struct script_entry prefetch_next[3];

static enum orr_next begin_prefetch(struct orr_actor *actor,
                                    struct script *script)
{
    (void)actor;
    script->next_worker = 0;
    if (!script->task)
        script->added = 0;
    return orr_script_jump(script, prefetch_next);
}

static enum orr_next choose_prefetch(struct orr_actor *actor,
                                     struct script *script)
{
    struct orr_run *run = script->run;
    struct orr_task *task = NULL;

    (void)actor;
    while (!task && script->next_worker < script->added)
        task = run->policy.queueing->buckets->prefetched(
            run->policy.sched, script->self->index, script->next_worker++);
    if (!task)
        return orr_script_jump(script, orr_pop_end);
    script->job = orr_job_of(task);
    script->receiver = script->self;
    return ORR_CONTINUE;
}

static enum orr_next prefetch_on(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, prefetch_next);
}

static const struct script_entry prefetch_next[] = {
    {CALL, choose_prefetch}, {CALL, orr_script_prefetch}, {CALL, prefetch_on}};

static const struct script_entry prefetch_added[] = {{UNLOCK_POLICY, NULL},
                                                     {CALL, begin_prefetch}};

static const struct script_entry pop_bucket[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, fill_queue}};

/* From a policy that makes its calls itself. */

static enum orr_next call_pop(struct orr_actor *actor, struct script *script)
{
    orr_concurrency_call(script->run, actor, ORR_CALL_POP, NULL);
    return ORR_CONTINUE;
}

static enum orr_next take_popped(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    script->task = orr_concurrency_popped(script->run, script->self->index);
    return orr_script_jump(script, orr_pop_end);
}

static const struct script_entry pop_called[] = {{CALL, call_pop},
                                                 {CALL, take_popped}};

/* Whether a queue has tasks is read without a lock. */
static enum orr_next choose_queue(struct orr_actor *actor,
                                  struct script *script)
{
    struct orr_run *run = script->run;
    const struct orr_sched_steal *steal = run->policy.queueing->steal;

    script->task = orr_worker_pop_own(script->self);
    if (script->task)
        return orr_script_jump(script, orr_pop_end);
    if (run->policy.queueing->calls)
        return orr_script_jump(script, pop_called);
    if (run->policy.queueing->buckets)
        return orr_script_jump(script, pop_bucket);
    if (run->policy.queueing->late)
        return orr_script_jump(script, orr_pop_late);
    if (run->policy.queueing->planning) {
        script->task = orr_sched_pop(run->policy.sched, script->self->index);
        return orr_script_jump(script, orr_pop_end);
    }
    if (steal) {
        script->task = steal->own(run->policy.sched, script->self->index);
        if (script->task)
            return orr_script_jump(script, orr_pop_end);
        script->then = orr_pop_end;
        script->stolen = &script->task;
        script->next = stealing;
        return orr_worker_state_set_open(actor, script->self, true);
    }
    return orr_script_jump(script, orr_lockstep_run(&run->engine)->queued > 0
                                       ? pop_shared
                                       : orr_pop_end);
}

static const struct script_entry popping[] = {{LOCK_SELF, NULL},
                                              {CALL, enter},
                                              {UNLOCK_SELF, NULL},
                                              {CALL, choose_queue}};

void orr_popping_call(struct orr_actor *actor, struct orr_worker *worker,
                      bool *found)
{
    orr_script_call(actor, worker->run, worker, popping)->result = found;
}

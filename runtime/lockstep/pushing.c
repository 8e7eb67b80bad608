/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pushes: see scheduling.h. */
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/script.h"
#include "runtime/lockstep/state.h"
#include "runtime/lockstep/worker_state.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"

/* Pushes (push_task of the policies, sched_policy.c: _starpu_push_task()). */

/* A push to the queue of a worker wakes all; one to the shared queue, the first
 * sleeping worker that can run the task. */
static bool may_wake(const struct script *script,
                     const struct orr_worker *worker)
{
    return script->receiver ||
           orr_job_runs_on(worker->run, script->job, worker->index);
}

/* Wakes one worker after the other until enough are woken. */
static enum orr_next wake_next(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    while (script->next_worker < run->worker_count &&
           !may_wake(script, run->workers[script->next_worker]))
        script->next_worker++;
    if ((script->woken && !script->receiver) ||
        script->next_worker == run->worker_count) {
        script->other = NULL;
        return ORR_CONTINUE;
    }
    script->next--;
    orr_waking_call(actor, script->self, run->workers[script->next_worker++],
                    &script->woken);
    return ORR_CONTINUE;
}

static const struct script_entry push_end[] = {
    {UNLOCK_POLICY, NULL}, {CALL, wake_next}, {OPEN, NULL}, {CALL, NULL}};

static enum orr_next push_to_all(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    run->policy.ignore_wake_calls = true;
    orr_sched_push(run->policy.sched, &script->job->active->task);
    run->policy.ignore_wake_calls = false;
    orr_lockstep_run(&run->engine)->queued++;
    (void)actor;
    return orr_script_jump(script, push_end);
}

static const struct script_entry push_shared[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, push_to_all}};

/* Whether the state of script->other is closed. */
static bool is_closed(const struct script *script)
{
    return script->other != script->self &&
           orr_lockstep_worker(script->other)->closed;
}

static enum orr_next push_to_one(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;
    struct orr_worker *receiver = script->receiver;

    if (is_closed(script))
        return orr_script_await_other(actor, script);
    run->policy.queueing->steal->push(
        run->policy.sched, &script->job->active->task, receiver->index);
    return orr_lockstep_unlock(orr_worker_state_lock(receiver), actor);
}

static const struct script_entry push_own[] = {
    {OPEN, NULL},      {LOCK_OTHER, NULL}, {CALL, push_to_one}, {CLOSE, NULL},
    {CALL, wake_next}, {OPEN, NULL},       {CALL, NULL},
};

/* A task of the receiver alone (sched_policy.c: _starpu_push_local_task()). */
static enum orr_next push_to_queue(struct orr_actor *actor,
                                   struct script *script)
{
    orr_worker_push_own(script->receiver, script->job);
    orr_worker_mark_woken(script->receiver);
    return orr_script_signal(actor, script->receiver);
}

/* _starpu_push_task_on_specific_worker_notify_sched(). */
static enum orr_next notify_pinned(struct orr_actor *actor,
                                   struct script *script)
{
    const struct orr_sched_ops *ops = script->run->policy.ops;

    if (ops->worker_locks && ops->bypassed)
        orr_concurrency_call(script->run, actor, ORR_CALL_BYPASSED,
                             &script->job->active->task);
    return ORR_CONTINUE;
}

static const struct script_entry push_pinned[] = {
    {CALL, notify_pinned}, {LOCK_OTHER, NULL}, {CALL, push_to_queue},
    {UNLOCK_OTHER, NULL},  {OPEN, NULL},       {CALL, NULL},
};

static const struct script_entry push_chosen[8];

/* To a policy that only chooses a worker (random_policy.c). */
static enum orr_next choose_one(struct script *script)
{
    struct orr_run *run = script->run;

    script->receiver = run->workers[run->policy.queueing->choose(
        run->policy.sched, &script->job->active->task)];
    script->other = script->receiver;
    return orr_script_jump(script, push_chosen);
}

static enum orr_next push_to_chosen(struct orr_actor *actor,
                                    struct script *script)
{
    return is_closed(script) ? orr_script_await_other(actor, script)
                             : push_to_queue(actor, script);
}

/* The push to a policy with buckets (heteroprio.c:
 * push_task_heteroprio_policy()): if it learns, it walks the successors of the
 * task under its lock. */

enum { ARCHS = 9 }; /* kinds of workers that StarPU knows */

static void append_lock(const struct script *script, enum orr_common_lock lock)
{
    struct orr_engine *engine = &script->run->engine;

    orr_worker_state_append(engine, script->self, true);
    orr_lockstep_add_lock(engine, &orr_lockstep_run(engine)->common[lock]);
    orr_worker_state_append(engine, script->self, false);
}

static void append_unlock(const struct script *script,
                          enum orr_common_lock lock)
{
    struct orr_engine *engine = &script->run->engine;

    orr_lockstep_add_unlock(engine, &orr_lockstep_run(engine)->common[lock]);
}

/* The bucket of a task is looked up, or the buckets are ordered. */
static void append_lookup(const struct script *script)
{
    append_lock(script, ORR_LOCK_LEARNING);
    append_unlock(script, ORR_LOCK_LEARNING);
}

/* Goes through the successors of the task. */
static void append_walk(const struct script *script, bool locks, bool looks_up)
{
    struct orr_run *run = script->run;
    const uint32_t *at = NULL;
    const struct orr_job *to;

    append_lock(script, ORR_LOCK_GRAPH);
    while ((to = orr_graph_next_successor(&run->graph, script->job, &at))) {
        if (locks)
            orr_lockstep_add_ticks(&run->engine, 2);
        if (looks_up && to->kind == ORR_JOB_KERNEL)
            append_lookup(script);
    }
    append_lock(script, ORR_LOCK_DROPPED);
    append_unlock(script, ORR_LOCK_DROPPED);
    append_unlock(script, ORR_LOCK_GRAPH);
}

static void append_learning(const struct script *script)
{
    struct orr_run *run = script->run;
    bool orders = run->policy.queueing->buckets->orders(run->policy.sched);

    append_lookup(script);
    if (orders)
        append_lookup(script);
    append_walk(script, false, false);
    for (unsigned a = 0; a < ARCHS; a++)
        append_walk(script, true, true);
    append_walk(script, false, true);
    append_lookup(script);
}

static enum orr_next push_to_bucket(struct orr_actor *actor,
                                    struct script *script)
{
    struct orr_run *run = script->run;
    bool learns = run->policy.queueing->buckets->learns(run->policy.sched);

    if (learns)
        append_learning(script);
    run->policy.ignore_wake_calls = true;
    orr_sched_push(run->policy.sched, &script->job->active->task);
    run->policy.ignore_wake_calls = false;
    script->next = push_end;
    return learns ? orr_actor_pass(actor) : ORR_CONTINUE;
}

static const struct script_entry push_bucket[] = {
    {OPEN, NULL}, {LOCK_POLICY, NULL}, {CLOSE, NULL}, {CALL, push_to_bucket}};

/* To a policy that plans (deque_modeling_policy_data_aware.c:
 * _dmda_push_task(), push_task_on_best_worker()). */

static const struct script_entry reading[6], asking[2], placed[15],
    push_planned[1];

static void read_queue(struct script *script)
{
    struct orr_run *run = script->run;

    script->begin = run->policy.queueing->planning->begin(
        run->policy.sched, &script->job->active->task, script->next_worker);
}

/* Looks at the next worker that can run the task. */
static enum orr_next consider_worker(struct orr_actor *actor,
                                     struct script *script)
{
    struct orr_run *run = script->run;

    (void)actor;
    while (script->next_worker < run->worker_count &&
           !orr_job_runs_on(run, script->job, script->next_worker))
        script->next_worker++;
    if (script->next_worker == run->worker_count)
        return orr_script_jump(script, placed);
    script->other = run->workers[script->next_worker];
    if (run->policy.queueing->planning->reads_queues(run->policy.sched))
        return orr_script_jump(script, reading);
    read_queue(script);
    return orr_script_jump(script, asking);
}

static enum orr_next read_locked(struct orr_actor *actor, struct script *script)
{
    if (is_closed(script))
        return orr_script_await_other(actor, script);
    read_queue(script);
    return ORR_CONTINUE;
}

static enum orr_next ask(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, asking);
}

/* Asks how long copies to it take, under the locks of the data. */
static enum orr_next consider(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;
    const struct orr_sched_planning *planning = run->policy.queueing->planning;
    struct orr_worker *worker = run->workers[script->next_worker];
    struct orr_spinlock *taken =
        planning->asks_transfers(run->policy.sched)
            ? orr_script_find_taken(script, worker->device)
            : NULL;

    if (taken) {
        orr_spinlock_await(actor, taken);
        return orr_script_repeat(script);
    }
    script->least =
        planning->consider(run->policy.sched, &script->job->active->task,
                           worker->index, script->begin, script->least);
    script->next_worker++;
    return orr_script_jump(script, push_planned);
}

static enum orr_next choose(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    script->receiver = script->run->workers[script->job->active->task.worker];
    script->other = script->receiver;
    return ORR_CONTINUE;
}

static enum orr_next plan(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    if (is_closed(script))
        return orr_script_await_other(actor, script);
    run->policy.queueing->planning->plan(run->policy.sched,
                                         &script->job->active->task);
    return ORR_CONTINUE;
}

static enum orr_next queue(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    if (is_closed(script))
        return orr_script_await_other(actor, script);
    run->policy.queueing->planning->queue(run->policy.sched,
                                          &script->job->active->task);
    orr_worker_mark_woken(script->receiver);
    return orr_script_signal(actor, script->receiver);
}

static enum orr_next leave(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    script->other = NULL;
    return ORR_CONTINUE;
}

static const struct script_entry push_chosen[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, push_to_chosen},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, leave},
    {OPEN, NULL},         {CALL, NULL},
};

static const struct script_entry push_planned[] = {{CALL, consider_worker}};

static const struct script_entry reading[] = {
    {OPEN, NULL},         {LOCK_OTHER, NULL}, {CALL, read_locked},
    {UNLOCK_OTHER, NULL}, {CLOSE, NULL},      {CALL, ask},
};

static const struct script_entry asking[] = {{CALL, orr_script_ask_model},
                                             {CALL, consider}};

static const struct script_entry placed[] = {
    {CALL, choose},
    {OPEN, NULL},
    {LOCK_OTHER, NULL},
    {CALL, plan},
    {UNLOCK_OTHER, NULL},
    {CLOSE, NULL},
    {CALL, orr_script_prefetch},
    {OPEN, NULL},
    {LOCK_OTHER, NULL},
    {CALL, queue},
    {UNLOCK_OTHER, NULL},
    {CLOSE, NULL},
    {CALL, leave},
    {OPEN, NULL},
    {CALL, NULL},
};

/* To a policy that makes its calls itself. */
static enum orr_next call_push(struct orr_actor *actor, struct script *script)
{
    orr_concurrency_call(script->run, actor, ORR_CALL_PUSH,
                         &script->job->active->task);
    return ORR_CONTINUE;
}

static const struct script_entry push_called[] = {
    {CALL, call_push}, {OPEN, NULL}, {CALL, NULL}};

static enum orr_next begin_push(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;
    const struct orr_sched_steal *steal = run->policy.queueing->steal;

    (void)actor;
    if (script->job->pinned) {
        script->receiver =
            run->workers[orr_job_kernel(&run->graph, script->job)->pinned_to];
        script->other = script->receiver;
        return orr_script_jump(script, push_pinned);
    }
    if (run->policy.queueing->calls)
        return orr_script_jump(script, push_called);
    if (run->policy.queueing->planning) {
        script->least = ORR_NEVER;
        return orr_script_jump(script, push_planned);
    }
    if (run->policy.queueing->buckets)
        return orr_script_jump(script, push_bucket);
    if (run->policy.queueing->late)
        return orr_script_jump(script, orr_push_late);
    if (run->policy.queueing->choose)
        return choose_one(script);
    if (!steal)
        return orr_script_jump(script, push_shared);
    script->receiver = run->workers[steal->receiver(
        run->policy.sched, &script->job->active->task)];
    script->other = script->receiver;
    return orr_script_jump(script, push_own);
}

static enum orr_next count_ready(struct orr_actor *actor, struct script *script)
{
    (void)script;
    return orr_actor_pass_point(actor, ORR_POINT_TASK_READY, NULL);
}

static const struct script_entry pushing[] = {
    {CALL, count_ready}, {CLOSE, NULL}, {CALL, begin_push}};

void orr_pushing_call(struct orr_actor *actor, struct orr_run *run,
                      struct orr_job *job)
{
    struct orr_worker *by =
        actor->index == ORR_NO_WORKER ? NULL : run->workers[actor->index];

    orr_script_call(actor, run, by, pushing)->job = job;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pushes and pops, in lock-step, of a policy that binds tasks to workers late
 * (sched/policy/queueing.h). In StarPU such a policy is a tree of components,
 * most of which have a lock: a queue of ready tasks (component_prio.c), the
 * choice of a worker (component_perfmodel_select.c, component_mct.c,
 * component_heft.c), and for each worker a queue, the choice of an
 * implementation (component_best_implementation.c) and the worker itself
 * (component_worker.c).
 *
 * A push adds the task to the queue of ready tasks, then binds ready tasks, one
 * after the other, until the queue of a worker is full or no task is left. A
 * policy that compares tasks (modular-heft) puts them into a second queue
 * first, and binds the best of the waiting tasks. A pop takes a task from the
 * queue of its worker, and binds more in the same way.
 *
 * Each procedure is a script (script.h); the tables of entries below stand
 * after the functions that they call.
 */
#include "runtime/lockstep/scheduling.h"
#include "runtime/lockstep/script.h"
#include "runtime/lockstep/state.h"
#include "runtime/run.h"

static const struct orr_sched_late *late_ops(const struct script *script)
{
    return script->run->policy.queueing->late;
}

/* The transfer times that the acting worker, or the application, predicts, by
 * worker. */
static orr_time *transfers_of(const struct script *script)
{
    const struct orr_run *run = script->run;
    unsigned by = script->self ? script->self->index : run->worker_count;

    return orr_lockstep_run(&run->engine)->transfers +
           (size_t)by * run->worker_count;
}

/* Whether all workers share a memory. If so, the data of a task are prefetched
 * when it is pushed; if not, once it is bound (component_sched.c:
 * starpu_sched_component_prefetch_on_node()). */
static bool prefetches_at_push(const struct script *script)
{
    return late_ops(script)->prefetches_at_push(script->run->policy.sched);
}

static bool compares(const struct script *script)
{
    return late_ops(script)->compares(script->run->policy.sched);
}

/* The first ready task (component_prio.c: prio_can_push(); component_mct.c:
 * mct_push_task()). */

static const struct script_entry bind_next[5], select_model[1], estimate[2],
    decide[8], bound[4], refused[2], wait[7], compare_next[6], compared[9],
    tried[1];

static const struct script_entry bind_end[] = {{CALL, NULL}};

static enum orr_next check_ready(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return late_ops(script)->has_ready(script->run->policy.sched)
               ? ORR_CONTINUE
               : orr_script_jump(script, bind_end);
}

static const struct script_entry ready_taken[2];

static enum orr_next take_ready(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    script->task = late_ops(script)->take_ready(script->run->policy.sched);
    return orr_script_jump(script, ready_taken);
}

/* Continues with the script @next for @task. */
static enum orr_next begin_with(struct script *script, struct orr_task *task,
                                const struct script_entry *next)
{
    script->task = task;
    script->job = orr_job_of(task);
    script->next_worker = 0;
    return orr_script_jump(script, next);
}

static enum orr_next begin_binding(struct orr_actor *actor,
                                   struct script *script)
{
    (void)actor;
    if (!script->task)
        return orr_script_jump(script, bind_end);
    script->then = decide;
    return begin_with(script, script->task, select_model);
}

static const struct script_entry ready_taken[] = {{UNLOCK_POLICY, NULL},
                                                  {CALL, begin_binding}};

/* Whether another worker can run the job, from next_worker on; sets next_worker
 * to it. */
static bool find_worker(struct script *script)
{
    const struct orr_run *run = script->run;

    while (script->next_worker < run->worker_count &&
           !orr_job_runs_on(run, script->job, script->next_worker))
        script->next_worker++;
    return script->next_worker < run->worker_count;
}

static bool are_workers_alike(const struct orr_run *run)
{
    return run->gpu_count == 0 || run->gpu_count == run->worker_count;
}

/* Asks whether the kernel has a model: once for all workers if they are
 * alike. */
static enum orr_next ask_whether(struct orr_actor *actor, struct script *script)
{
    if (!find_worker(script) ||
        (script->next_worker > 0 && are_workers_alike(script->run))) {
        script->next_worker = 0;
        return orr_script_jump(script, compares(script) ? wait : estimate);
    }
    script->next_worker++;
    script->next--;
    return orr_script_ask_model(actor, script);
}

static const struct script_entry select_model[] = {{CALL, ask_whether}};

static enum orr_next ask_how_long(struct orr_actor *actor,
                                  struct script *script)
{
    return find_worker(script) ? orr_script_ask_model(actor, script)
                               : orr_script_jump(script, script->then);
}

/* Predicts the copies of the data of script->job to @worker, under their locks.
 * Returns false if it has to wait for a lock; then the entry is repeated. */
static bool predict(struct orr_actor *actor, struct script *script,
                    const struct orr_worker *worker)
{
    struct orr_spinlock *taken = orr_script_find_taken(script, worker->device);

    if (taken) {
        orr_spinlock_await(actor, taken);
        return false;
    }
    transfers_of(script)[worker->index] = orr_sched_transfer(
        script->run->policy.sched, script->task, worker->device);
    return true;
}

static enum orr_next predict_next(struct orr_actor *actor,
                                  struct script *script)
{
    if (!predict(actor, script, script->run->workers[script->next_worker]))
        return orr_script_repeat(script);
    script->next_worker++;
    return orr_script_jump(script, estimate);
}

/* Asks the models and predicts copies, for each worker. */
static const struct script_entry estimate[] = {{CALL, ask_how_long},
                                               {CALL, predict_next}};

static orr_time choose_worker(const struct script *script)
{
    return late_ops(script)->choose(script->run->policy.sched, script->task,
                                    transfers_of(script));
}

static enum orr_next choose(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    choose_worker(script);
    script->receiver = script->run->workers[script->task->worker];
    return ORR_CONTINUE;
}

static enum orr_next bind(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(
        script, late_ops(script)->bind(script->run->policy.sched, script->task)
                    ? bound
                    : refused);
}

static const struct script_entry decide[] = {
    {OPEN, NULL}, {LOCK_DECISION, NULL}, {CLOSE, NULL}, {CALL, choose},
    {OPEN, NULL}, {LOCK_QUEUE, NULL},    {CLOSE, NULL}, {CALL, bind},
};

static enum orr_next prefetch_bound(struct orr_actor *actor,
                                    struct script *script)
{
    return prefetches_at_push(script) ? ORR_CONTINUE
                                      : orr_script_prefetch(actor, script);
}

static enum orr_next wake_receiver(struct orr_actor *actor,
                                   struct script *script)
{
    orr_waking_call(actor, script->self, script->receiver, &script->woken);
    return ORR_CONTINUE;
}

static enum orr_next begin_next(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, bind_next);
}

static const struct script_entry decided[] = {{UNLOCK_DECISION, NULL},
                                              {CALL, begin_next}};

static enum orr_next bind_more(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, compares(script) ? compare_next : decided);
}

static const struct script_entry bound[] = {
    {CALL, prefetch_bound},
    {UNLOCK_QUEUE, NULL},
    {CALL, wake_receiver},
    {CALL, bind_more},
};

static enum orr_next put_back(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    late_ops(script)->put_back(script->run->policy.sched, script->task);
    return ORR_CONTINUE;
}

/* Puts the task back into the queue from which it was taken, under the lock of
 * that queue. */
static const struct script_entry back_to_waiting[] = {
    {OPEN, NULL},     {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, put_back}, {UNLOCK_DECISION, NULL}, {CALL, NULL},
};

static const struct script_entry back_to_ready[] = {
    {UNLOCK_DECISION, NULL},
    {OPEN, NULL},
    {LOCK_POLICY, NULL},
    {CLOSE, NULL},
    {CALL, put_back},
    {UNLOCK_POLICY, NULL},
    {CALL, NULL},
};

static enum orr_next choose_queue(struct orr_actor *actor,
                                  struct script *script)
{
    (void)actor;
    return orr_script_jump(script,
                           compares(script) ? back_to_waiting : back_to_ready);
}

static const struct script_entry refused[] = {{UNLOCK_QUEUE, NULL},
                                              {CALL, choose_queue}};

static const struct script_entry bind_next[] = {
    {CALL, check_ready}, {OPEN, NULL},       {LOCK_POLICY, NULL},
    {CLOSE, NULL},       {CALL, take_ready},
};

static enum orr_next bind_ready(struct orr_actor *actor, struct script *script)
{
    orr_script_call(actor, script->run, script->self, bind_next);
    return ORR_CONTINUE;
}

/* The tasks that wait in the second queue (component_heft.c:
 * heft_progress_one()). */

static enum orr_next take_waiting(struct orr_actor *actor,
                                  struct script *script)
{
    (void)actor;
    script->candidate_count = late_ops(script)->take_waiting(
        script->run->policy.sched, script->candidates);
    script->candidate = 0;
    script->least = ORR_NEVER;
    script->then = tried;
    return ORR_CONTINUE;
}

static enum orr_next try_first(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return script->candidate_count > 0
               ? begin_with(script, script->candidates[0], estimate)
               : orr_script_jump(script, bind_end);
}

static const struct script_entry compare_next[] = {
    {OPEN, NULL},         {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, take_waiting}, {UNLOCK_DECISION, NULL}, {CALL, try_first},
};

static enum orr_next try_next(struct orr_actor *actor, struct script *script)
{
    orr_time end = choose_worker(script);

    (void)actor;
    if (end < script->least || script->candidate == 0) {
        script->least = end;
        script->best = script->candidate;
    }
    return ++script->candidate < script->candidate_count
               ? begin_with(script, script->candidates[script->candidate],
                            estimate)
               : orr_script_jump(script, compared);
}

static const struct script_entry tried[] = {{CALL, try_next}};

static enum orr_next keep_best(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    (void)actor;
    for (unsigned i = script->candidate_count; i-- > 0;) {
        if (i != script->best)
            late_ops(script)->put_back(run->policy.sched,
                                       script->candidates[i]);
    }
    script->task = script->candidates[script->best];
    script->job = orr_job_of(script->task);
    script->receiver = run->workers[script->task->worker];
    return ORR_CONTINUE;
}

static const struct script_entry compared[] = {
    {OPEN, NULL},       {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, keep_best},  {UNLOCK_DECISION, NULL}, {OPEN, NULL},
    {LOCK_QUEUE, NULL}, {CLOSE, NULL},           {CALL, bind},
};

static enum orr_next bind_waiting(struct orr_actor *actor,
                                  struct script *script)
{
    if (compares(script))
        orr_script_call(actor, script->run, script->self, compare_next);
    return ORR_CONTINUE;
}

static enum orr_next add_waiting(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    late_ops(script)->add_waiting(script->run->policy.sched, script->task);
    return ORR_CONTINUE;
}

static const struct script_entry wait[] = {
    {OPEN, NULL},        {LOCK_DECISION, NULL},   {CLOSE, NULL},
    {CALL, add_waiting}, {UNLOCK_DECISION, NULL}, {CALL, bind_waiting},
    {CALL, begin_next},
};

/* attempts of a pop that finds nothing but was woken meanwhile */
enum { TRIES = 2 };

/* Pushes (component_prio.c: prio_push_task()). */

static enum orr_next add_ready(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    late_ops(script)->add_ready(script->run->policy.sched,
                                &script->job->active->task);
    return ORR_CONTINUE;
}

static enum orr_next prefetch_pushed(struct orr_actor *actor,
                                     struct script *script)
{
    script->receiver = script->run->workers[0];
    return prefetches_at_push(script) ? orr_script_prefetch(actor, script)
                                      : ORR_CONTINUE;
}

const struct script_entry orr_push_late[] = {
    {OPEN, NULL},
    {LOCK_POLICY, NULL},
    {CLOSE, NULL},
    {CALL, add_ready},
    {CALL, prefetch_pushed},
    {UNLOCK_POLICY, NULL},
    {CALL, bind_ready},
    {OPEN, NULL},
    {CALL, NULL},
};

/* Pops (component_worker.c: simple_worker_pull_task()). */

static const struct script_entry pull_own[9], pull_nothing[8];

static enum orr_next drop_plan(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    late_ops(script)->drop_plan(script->run->policy.sched, script->self->index);
    return ORR_CONTINUE;
}

static enum orr_next choose_pull(struct orr_actor *actor, struct script *script)
{
    struct orr_run *run = script->run;

    (void)actor;
    script->receiver = script->self;
    script->tries++;
    return orr_script_jump(script, late_ops(script)->has_own(
                                       run->policy.sched, script->self->index)
                                       ? pull_own
                                       : pull_nothing);
}

const struct script_entry orr_pop_late[] = {
    {OPEN, NULL},      {LOCK_PLAN, NULL},   {CLOSE, NULL},
    {CALL, drop_plan}, {UNLOCK_PLAN, NULL}, {CALL, choose_pull},
};

static enum orr_next take_own(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    script->task = late_ops(script)->take_own(script->run->policy.sched,
                                              script->self->index);
    script->job = orr_job_of(script->task);
    return ORR_CONTINUE;
}

static const struct script_entry planned[6];

static enum orr_next predict_own(struct orr_actor *actor, struct script *script)
{
    return predict(actor, script, script->self)
               ? orr_script_jump(script, planned)
               : orr_script_repeat(script);
}

static enum orr_next plan(struct orr_actor *actor, struct script *script)
{
    unsigned worker = script->self->index;

    (void)actor;
    late_ops(script)->plan(script->run->policy.sched, script->task, worker,
                           transfers_of(script)[worker]);
    return ORR_CONTINUE;
}

static enum orr_next end_pop(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script, orr_pop_end);
}

static const struct script_entry planned[] = {
    {OPEN, NULL}, {LOCK_PLAN, NULL},   {CLOSE, NULL},
    {CALL, plan}, {UNLOCK_PLAN, NULL}, {CALL, end_pop},
};

static const struct script_entry pull_own[] = {
    {OPEN, NULL},       {LOCK_QUEUE, NULL},           {CLOSE, NULL},
    {CALL, take_own},   {UNLOCK_QUEUE, NULL},         {CALL, bind_waiting},
    {CALL, bind_ready}, {CALL, orr_script_ask_model}, {CALL, predict_own},
};

/* A worker that bound a task to itself has woken itself. */
static enum orr_next try_again(struct orr_actor *actor, struct script *script)
{
    (void)actor;
    return orr_script_jump(script,
                           script->self->actor.woken && script->tries < TRIES
                               ? orr_pop_late
                               : orr_pop_end);
}

/* Binds tasks to its own queue, then to the queue of tasks without a model
 * (component_eager.c: eager_pull_task()). */
static const struct script_entry pull_nothing[] = {
    {CALL, bind_waiting},   {CALL, bind_ready}, {OPEN, NULL},
    {LOCK_UNKNOWN, NULL},   {CLOSE, NULL},      {CALL, bind_ready},
    {UNLOCK_UNKNOWN, NULL}, {CALL, try_again},
};

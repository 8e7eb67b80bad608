/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plain interleaving: see engine/interleaving.h. */
#include "runtime/engine/interleaving.h"

#include "runtime/executor/network.h"
#include "runtime/interleaving_plain.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/policy_checks.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/worker.h"

static void begin(struct orr_run *run)
{
    (void)run;
}

/* All workers drive RAM; run.h handles the nodes of GPUs. */
static void signal_node(struct orr_run *run, unsigned node)
{
    g_assert(node == ORR_RAM);
    for (unsigned i = 0; i < run->worker_count; i++)
        orr_actor_signal_plain(&run->workers[i]->actor);
}

static void wake_node(struct orr_run *run, unsigned node)
{
    for (unsigned i = 0; i < run->worker_count; i++)
        run->workers[i]->actor.woken = true;
    signal_node(run, node);
}

static void kernel_ended(struct orr_worker *worker)
{
    orr_worker_mark_woken(worker);
    orr_actor_signal_plain(&worker->actor);
}

static void push_own(struct orr_run *run, struct orr_job *job)
{
    struct orr_worker *worker =
        run->workers[orr_job_kernel(&run->graph, job)->pinned_to];

    orr_worker_push_own(worker, job);
    orr_worker_wake(worker);
}

/* A pinned job, of which a concurrent policy has been notified. */
struct notified {
    struct orr_run *run;
    struct orr_job *job;
};

static enum orr_next push_notified(struct orr_actor *actor, void *locals)
{
    const struct notified *notified = locals;

    (void)actor;
    push_own(notified->run, notified->job);
    return ORR_DONE;
}

/* Returns whether it calls. */
static bool push_pinned(struct orr_actor *actor, struct orr_run *run,
                        struct orr_job *job)
{
    bool calls = run->policy.ops->worker_locks && run->policy.ops->bypassed;
    struct notified *notified;

    if (!calls) {
        push_own(run, job);
        return false;
    }
    notified = orr_actor_call(actor, push_notified, sizeof(*notified));
    *notified = (struct notified){run, job};
    orr_concurrency_call(run, actor, ORR_CALL_BYPASSED, &job->active->task);
    return true;
}

static bool push(struct orr_actor *actor, struct orr_run *run,
                 struct orr_job *job)
{
    if (G_UNLIKELY(job->pinned))
        return push_pinned(actor, run, job);
    if (G_UNLIKELY(run->policy.checks))
        orr_policy_checks_push_begins(run->policy.checks, job);
    if (run->policy.ops->concurrent)
        orr_concurrency_call(run, actor, ORR_CALL_PUSH, &job->active->task);
    else
        orr_sched_push(run->policy.sched, &job->active->task);
    if (G_UNLIKELY(run->policy.checks) && !run->policy.ops->concurrent)
        orr_policy_checks_push_ends(run->policy.checks, job->id);
    return run->policy.ops->concurrent;
}

static bool pop(struct orr_worker *worker)
{
    bool calls = worker->run->policy.ops->concurrent;

    if (G_UNLIKELY(worker->own)) {
        worker->found = orr_worker_end_pop(worker, orr_worker_pop_own(worker));
        return false;
    }
    if (calls)
        orr_worker_call_pop(worker);
    else
        worker->found = orr_worker_pop(worker);
    return calls;
}

/* A driver that has allocated a buffer waits; a worker that ends a task makes
 * progress instead if the lock is held for some time, but not if it is locked
 * until an unknown date: the reference first waits to count the task out
 * (StarPU, coherency.c, __starpu_push_task_output()), and makes progress only
 * if it finds the lock taken once more. */
static bool wait_for_lock(struct orr_actor *actor, struct orr_worker *worker,
                          struct orr_data *data, enum orr_lock_site site)
{
    if (site == ORR_LOCK_AT_ISSUE) {
        if (!orr_spinlock_is_taken(&data->lock, actor->engine))
            return false;
        orr_spinlock_await(actor, &data->lock);
        return true;
    }
    if (!orr_spinlock_is_held(&data->lock, actor->engine))
        return false;
    if (orr_spinlock_is_kept(&data->lock))
        orr_spinlock_await(actor, &data->lock);
    else
        orr_progress_until_free(actor, worker, data);
    return true;
}

static bool is_locked(const struct orr_spinlock *lock,
                      const struct orr_engine *engine)
{
    return orr_spinlock_is_held(lock, engine);
}

const struct orr_turns orr_turns_plain = {
    .data =
        {
            .wake_node = wake_node,
            .signal_node = signal_node,
            .is_locked = is_locked,
            .launch = orr_copy_start,
            .copy_ended = orr_copy_finish,
        },
    .workers =
        {
            .begin = begin,
            .end = begin,
            .kernel_ended = kernel_ended,
            .push = push,
            .pop = pop,
            .skips_idle = true,
            .wait_for_lock = wait_for_lock,
        },
    .network = orr_network_shared_new,
};

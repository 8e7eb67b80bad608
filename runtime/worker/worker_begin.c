/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a worker gets a task: it pops a task, fetches the data and starts the
 * kernel. */
#include "runtime/data/access_hit.h"
#include "runtime/data/victim.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/policy_checks.h"
#include "runtime/worker/steps.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"

static void record_pop(const struct orr_worker *worker, struct orr_job *job)
{
    struct orr_run *run = worker->run;
    struct orr_past_decision *note =
        orr_decision_history_add(&run->history, ORR_PAST_POP, run->engine.now);

    job->active->pushed = false;
    note->what = orr_job_name(&run->graph, job);
    note->task = (uint32_t)job->id;
    note->actor = &worker->actor;
}

static inline bool end_pop(struct orr_worker *worker, struct orr_task *task)
{
    struct orr_run *run = worker->run;
    unsigned place = (worker->first + worker->count) % ORR_MAX_PIPELINE;
    struct orr_job *job;
    bool woken;

    if (G_UNLIKELY(run->totals.trace))
        orr_steps_pop(run, &worker->actor, task ? orr_job_of(task) : NULL);
    woken = worker->actor.woken;
    /* In the reference, the woken flag of a CPU worker is never cleared. */
    if (worker->device != ORR_RAM || !orr_switches_quirks(&run->switches))
        worker->actor.woken = false;
    else
        woken = false;
    if (!task) {
        worker->sleeping = !woken;
        worker->scheduling = !woken;
        if (G_UNLIKELY(run->policy.checks) && !woken)
            orr_policy_checks_sleeps(run->policy.checks, worker->index);
        return woken;
    }
    worker->sleeping = false;
    worker->scheduling = false;
    job = orr_job_of(task);
    orr_job_prefetch_cache_copies(job, worker->device);
    record_pop(worker, job);
    if (G_UNLIKELY(run->policy.checks))
        orr_policy_checks_pop_ends(run->policy.checks, worker->index, job);
    if (job->active->watching)
        orr_job_unwatch(&worker->run->store, job);
    job->active->slot = (uint8_t)place;
    worker->pipeline[place] = job;
    worker->ended[place] = false;
    worker->count++;
    worker->fetching = job;
    worker->arrived = run->engine.now;
    worker->waits[place].taken = run->engine.now;
    if (G_UNLIKELY(run->totals.trace))
        orr_job_trace_ready(worker->run, -1);
    return true;
}

bool orr_worker_end_pop(struct orr_worker *worker, struct orr_task *task)
{
    return end_pop(worker, task);
}

bool orr_worker_pop(struct orr_worker *worker)
{
    struct orr_run *run = worker->run;
    struct orr_task *task;

    run->engine.effects |= ORR_EFFECT_POLICY;
    worker->scheduling = true;
    if (G_UNLIKELY(run->policy.checks))
        orr_policy_checks_pop_begins(run->policy.checks, worker->index);
    orr_push_pop_overlap_pop_begins(&run->store);
    task = orr_sched_pop(run->policy.sched, worker->index);
    orr_push_pop_overlap_pop_ends(&run->store, &worker->last_pop);
    return end_pop(worker, task);
}

void orr_worker_call_pop(struct orr_worker *worker)
{
    worker->scheduling = true;
    if (G_UNLIKELY(worker->run->policy.checks))
        orr_policy_checks_pop_begins(worker->run->policy.checks, worker->index);
    orr_concurrency_call(worker->run, &worker->actor, ORR_CALL_POP, NULL);
}

bool orr_worker_popped(struct orr_worker *worker)
{
    struct orr_run *run = worker->run;

    return run->policy.concurrency && !run->engine.interleaving
               ? end_pop(worker, orr_concurrency_popped(run, worker->index))
               : worker->found;
}

/* Not inline: most data are there already. */
static G_GNUC_NO_INLINE void request(struct orr_worker *worker,
                                     struct orr_job_access *access)
{
    struct orr_request_spec spec = {
        .data = orr_access_data(access),
        .node = worker->device,
        .mode = orr_access_mode(access),
        .level = ORR_FETCH,
        .access = access,
        .worker = worker,
    };

    orr_request_submit(&worker->run->store, &spec);
}

/* Pins the datum for the popped task, and requests it if it is not there. */
static inline void obtain(struct orr_worker *worker,
                          struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_replicate *copy = &data->copies[worker->device];

    orr_replicate_hold(copy);
    if (orr_access_is_hit(data, worker->device, orr_access_mode(access),
                          ORR_FETCH)) {
        orr_access_hit(&worker->run->store, worker->memory, access, copy,
                       ORR_FETCH);
        orr_run_buffer_arrived(worker->run, worker);
    } else {
        request(worker, access);
    }
}

enum orr_next orr_worker_fetch(struct orr_worker *worker,
                               struct orr_fetching *fetching)
{
    struct orr_actor *actor = &worker->actor;
    const struct orr_run *run = worker->run;
    struct orr_job *job = worker->fetching;

    if (G_UNLIKELY(job->has_ending) && !fetching->called) {
        fetching->called = true;
        if (orr_job_calls(actor, worker->run, job, ORR_CALL_PROLOGUE_POP))
            return ORR_CONTINUE;
    }
    if (!fetching->late && run->policy.pops_first) {
        fetching->late = true;
        if (orr_actor_yield(actor) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    for (unsigned i = fetching->next; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];
        struct orr_spinlock *lock = &orr_access_data(access)->lock;

        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return ORR_CONTINUE;
        }
        fetching->next = i + 1;
        obtain(worker, access);
        if (orr_actor_sleep(actor, run->overheads.fetch) == ORR_ASLEEP)
            return ORR_ASLEEP;
    }
    if (G_UNLIKELY(run->kernels.sets) && orr_job_needs_buffers(run, job))
        return orr_worker_fetch_scratch(worker, fetching);
    worker->buffers_awaited = job->access_count;
    orr_point(actor->engine, ORR_POINT_FETCHES_ASKED, NULL);
    return ORR_DONE;
}

struct orr_job *orr_worker_take_fetched(struct orr_worker *worker)
{
    struct orr_job *job = worker->fetching;
    bool prefetched;

    if (!orr_worker_has_fetched(worker))
        return NULL;
    worker->fetching = NULL;
    prefetched = job->active->prefetched;
    worker->waits[job->active->slot].ready = job->active->ready;
    worker->waits[job->active->slot].arrived = worker->arrived;
    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];
        struct orr_replicate *copy =
            &orr_access_data(access)->copies[worker->device];

        if (prefetched && copy->expected > 0)
            copy->expected--;
        if (orr_access_mode(access) == ORR_W)
            orr_replicate_grant(&worker->run->store, copy, ORR_W);
    }
    return job;
}

/* Tells a concurrent policy before the task counts as started (StarPU,
 * driver_common.c: the pre_exec_hook, then the clock). */
struct starting {
    enum { STARTING, STARTED } at;
    enum orr_point point;
    struct orr_worker *worker;
    struct orr_job *job;
};

static enum orr_next start(struct orr_actor *actor, void *locals)
{
    struct starting *starting = locals;
    struct orr_run *run = starting->worker->run;
    struct orr_active *active = starting->job->active;

    if (starting->at == STARTING) {
        starting->at = STARTED;
        if (starting->point == ORR_POINT_KERNEL_BEGINS) {
            orr_point(actor->engine, ORR_POINT_KERNEL_NOTIFIES, NULL);
            starting->point = ORR_POINT_KERNEL_NOTIFIED;
        }
        orr_concurrency_call(run, actor, ORR_CALL_STARTED, &active->task);
        return ORR_CONTINUE;
    }
    active->started = run->engine.now;
    orr_point(actor->engine, starting->point, starting->job);
    return ORR_DONE;
}

bool orr_worker_job_started(struct orr_worker *worker, struct orr_job *job,
                            enum orr_point point)
{
    struct orr_run *run = worker->run;
    bool calls = orr_job_starts_kernel(&worker->actor, run, job);
    struct starting *starting;

    run->engine.effects |= ORR_EFFECT_POLICY;
    job->active->started = run->engine.now;
    orr_successors_prefetch_cache(&job->successors, &worker->run->graph.batches,
                                  0);
    orr_digest_add(&run->totals.digest.order,
                   orr_digest_task(job->id, worker->index));
    if (G_UNLIKELY(run->store.victims))
        orr_victims_started(&run->store, job, worker->device);
    if (G_UNLIKELY(run->policy.ops->concurrent) && run->policy.ops->started &&
        (!job->pinned || orr_run_notifies_pinned(run))) {
        starting = orr_actor_call(&worker->actor, start, sizeof(*starting));
        starting->point = point;
        starting->worker = worker;
        starting->job = job;
        return true;
    }
    if (G_LIKELY(!run->policy.ops->concurrent) &&
        (G_LIKELY(!job->pinned) || orr_run_notifies_pinned(run)))
        orr_sched_started(run->policy.sched, &job->active->task, worker->index);
    orr_point(&run->engine, point, job);
    return calls;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a worker ends a task: it gives its data back and starts what waits. */
#include "runtime/data/parents.h"
#include "runtime/run.h"
#include "runtime/worker/accesses.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/preemption.h"
#include "runtime/worker/progress.h"
#include "runtime/worker/redux.h"
#include "runtime/worker/submit.h"
#include "runtime/worker/worker.h"

static void record_end(struct orr_run *run, const struct orr_worker *worker,
                       const struct orr_job *job)
{
    uint64_t *digest = &run->totals.digest.dated;

    orr_digest_add(digest, orr_digest_task(job->id, worker->index));
    orr_digest_add(digest,
                   (uint64_t)(job->submitted - run->totals.first_submission));
    orr_digest_add(digest, (uint64_t)(job->active->started -
                                      run->totals.first_submission));
    orr_digest_add(digest,
                   (uint64_t)(run->engine.now - run->totals.first_submission));
}

/* The first @count accesses of @job: in @few, if they fit, else to free with
 * g_free(). */
static const struct orr_trace_access *
list_accesses(const struct orr_job *job, unsigned count,
              struct orr_trace_access *few)
{
    struct orr_trace_access *accesses =
        count <= ORR_FEW_ACCESSES ? few : g_new(struct orr_trace_access, count);

    for (unsigned i = 0; i < count; i++) {
        const struct orr_job_access *access = &job->accesses[i];

        accesses[i] = (struct orr_trace_access){
            .datum = orr_data_traced(orr_access_data(access)),
            .mode = (uint8_t)(orr_access_reduces(access)
                                  ? ORR_REDUX
                                  : orr_access_group(access)),
        };
    }
    return accesses;
}

/* Sets @modes to the modes of @job as declared. Returns the number of accesses
 * after merging accesses to one datum. */
static unsigned list_modes(const struct orr_run *run, const struct orr_job *job,
                           uint8_t *modes)
{
    const uint16_t *places;
    unsigned redux = orr_job_redux(&run->graph, job, &places);

    for (unsigned i = 0; i < orr_job_declared_count(job); i++)
        modes[i] = (uint8_t)orr_job_mode(job, i);
    for (unsigned i = 0; i < redux; i++)
        modes[places[i]] = ORR_REDUX;
    return job->access_count + redux;
}

/* The memory nodes whose workers could run @job, a bit each. */
static uint64_t nodes_of(const struct orr_run *run, const struct orr_job *job)
{
    uint64_t nodes = 0;

    for (unsigned node = 0; node < run->node_count; node++) {
        if (orr_job_can_run(run, job, node))
            nodes |= UINT64_C(1) << node;
    }
    return nodes;
}

/* Which implementation of its kernel ran. */
static unsigned implementation_of(const struct orr_kernel *kernel,
                                  const struct orr_job *job, unsigned worker)
{
    return kernel->implementations > 1
               ? (unsigned)(orr_job_cost(kernel, job, worker) %
                            kernel->implementations)
               : 0;
}

static void trace_task(const struct orr_worker *worker,
                       const struct orr_job *job)
{
    struct orr_run *run = worker->run;
    const struct orr_span *kernel = &worker->kernels[job->active->slot];
    const struct orr_wait_dates *wait = &worker->waits[job->active->slot];
    uint8_t modes[ORR_MAX_ACCESSES];
    struct orr_trace_access few[ORR_FEW_ACCESSES];
    struct orr_trace_task record = {
        .order = job->id,
        .name = orr_job_name(&run->graph, job),
        .worker = worker->index,
        .memory_node = worker->device,
        .priority = job->priority,
        .submitted = job->submitted - run->totals.first_submission,
        .started = job->active->started - run->totals.first_submission,
        .ended = run->engine.now - run->totals.first_submission,
        .kernel_started = kernel->from - run->totals.first_submission,
        .kernel_ended = kernel->to - run->totals.first_submission,
        .access_count = orr_job_declared_count(job),
        .modes = modes,
        .kernel = orr_job_kernel(&run->graph, job)->model->name,
        .worker_name = worker->name,
        .ready = wait->ready - run->totals.first_submission,
        .arrived = wait->arrived - run->totals.first_submission,
        .taken = wait->taken - run->totals.first_submission,
        .memory_nodes = nodes_of(run, job),
        .kernel_number = job->kernel,
        .implementation = implementation_of(orr_job_kernel(&run->graph, job),
                                            job, worker->index),
    };

    record.coordinate_count = orr_job_coordinates(job, record.coordinates);
    if (run->store.parents)
        record.parents = orr_parents_take(
            run->store.parents, job->id, run->graph.tags, &record.parent_count);
    if (!run->totals.calls.task)
        return;
    record.datum_count = list_modes(run, job, modes);
    record.accesses = list_accesses(job, record.datum_count, few);
    run->totals.calls.task(run->totals.trace, &record);
    if (record.accesses != few)
        g_free((void *)record.accesses);
}

/*
 * The end of a task locks each of its data three times: to release the copy, to
 * release the datum, and to remove the access from the graph.
 */
struct finishing {
    enum {
        FINISH_BEGIN,
        FINISH_OUTPUT,
        FINISH_RELEASE,
        FINISH_AWAIT,
        FINISH_EPILOGUE,
        FINISH_FORGET,
        FINISH_END,
        FINISH_CALLED_BACK
    } at;
    unsigned next; /* access */
    bool released; /* its datum */
    struct orr_worker *worker;
    struct orr_job_frame end;
};

/* Lets a task that waits for the datum of an access have it (arbiter.h).
 * Returns whether it calls: there may be others, then. */
static G_GNUC_NO_INLINE bool
hand_over(struct orr_actor *actor, struct finishing *finishing, unsigned access)
{
    struct orr_data *data =
        orr_access_data(&finishing->end.job->accesses[access]);

    finishing->next = access;
    finishing->released =
        data->arbitrated &&
        orr_job_hand_over(actor, finishing->worker->run, data);
    return finishing->released;
}

/* give_back() for the buffers of the worker, from access @i on. */
static G_GNUC_NO_INLINE bool give_back_buffers(struct orr_actor *actor,
                                               struct finishing *finishing,
                                               unsigned i)
{
    struct orr_worker *worker = finishing->worker;
    struct orr_run *run = worker->run;
    const struct orr_job *job = finishing->end.job;
    const uint16_t *places;
    unsigned end = job->access_count + orr_job_redux(&run->graph, job, &places);

    for (; i < end; i++) {
        struct orr_data *data = orr_access_data(&job->accesses[i]);

        if (orr_spinlocks_contended(actor->engine) &&
            run->turns->workers.wait_for_lock(actor, worker, data,
                                              ORR_LOCK_AT_END)) {
            finishing->next = i;
            return false;
        }
        orr_redux_leave(worker, data);
        if (data->arbitrated && hand_over(actor, finishing, i))
            return false;
    }
    orr_worker_release_scratch(worker, job);
    finishing->next = 0;
    return true;
}

/* Releases the data of the task. Returns false if it calls: to wait for a lock,
 * or for a task that waits for a datum and gets it. */
static inline bool give_back(struct orr_actor *actor,
                             struct finishing *finishing)
{
    struct orr_worker *worker = finishing->worker;
    struct orr_run *run = worker->run;
    struct orr_job *job = finishing->end.job;
    unsigned i = finishing->next, count = job->access_count;

    if (G_UNLIKELY(finishing->released)) {
        if (hand_over(actor, finishing, i))
            return false;
        i++;
    }
    for (; i < count; i++) {
        struct orr_data *data = orr_access_data(&job->accesses[i]);

        if (G_UNLIKELY(orr_spinlocks_contended(actor->engine)) &&
            run->turns->workers.wait_for_lock(actor, worker, data,
                                              ORR_LOCK_AT_END)) {
            finishing->next = i;
            return false;
        }
        orr_replicate_release(&run->store, &data->copies[worker->device]);
        orr_data_let_go(&run->store, data);
        if (G_UNLIKELY(data->arbitrated) && hand_over(actor, finishing, i))
            return false;
    }
    if (G_UNLIKELY(run->kernels.sets) && orr_job_needs_buffers(run, job))
        return give_back_buffers(actor, finishing, i);
    finishing->next = 0;
    return true;
}

/* Takes and gives the lock of each datum. Returns false if it calls, to wait
 * for one. */
static G_GNUC_NO_INLINE bool pass_locks(struct orr_actor *actor,
                                        struct finishing *finishing)
{
    const struct orr_job *job = finishing->end.job;

    for (; finishing->next < job->access_count; finishing->next++) {
        struct orr_spinlock *lock =
            &orr_access_data(&job->accesses[finishing->next])->lock;

        if (orr_spinlock_is_taken(lock, actor->engine)) {
            orr_spinlock_await(actor, lock);
            return false;
        }
    }
    finishing->next = 0;
    return true;
}

/* As pass_locks(), which has nothing to do if no lock is taken at all. */
static inline bool pass(struct orr_actor *actor, struct finishing *finishing)
{
    return (!orr_spinlocks_contended(actor->engine) && finishing->next == 0) ||
           pass_locks(actor, finishing);
}

/* Returns whether it calls. */
static bool notify_done(struct orr_actor *actor, struct finishing *finishing)
{
    struct orr_run *run = finishing->worker->run;
    struct orr_task *task = &finishing->end.job->active->task;

    if (G_UNLIKELY(run->policy.preemption))
        orr_preemption_task_ended(run);
    if (G_UNLIKELY(orr_job_of(task)->pinned) && !orr_run_notifies_pinned(run))
        return false;
    if (!run->policy.ops->concurrent) {
        orr_sched_done(run->policy.sched, task, finishing->worker->index);
        return false;
    }
    if (run->policy.ops->done)
        orr_concurrency_call(run, actor, ORR_CALL_DONE, task);
    return run->policy.ops->done;
}

/* The worker no longer ends the job. */
static void leave(struct finishing *finishing)
{
    if (finishing->worker->ending == finishing->end.job)
        finishing->worker->ending = NULL;
}

static enum orr_next finish(struct orr_actor *actor, void *locals)
{
    struct finishing *finishing = locals;
    struct orr_run *run = finishing->end.run;
    enum orr_next next;

    switch (finishing->at) {
    case FINISH_BEGIN:
        finishing->at = FINISH_OUTPUT;
        if (orr_actor_pass_point(actor, ORR_POINT_TASK_ENDS, NULL) ==
            ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case FINISH_OUTPUT:
        if (!give_back(actor, finishing))
            return ORR_CONTINUE;
        finishing->at = FINISH_RELEASE;
        if (orr_actor_pass_point(actor, ORR_POINT_DATA_RELEASED,
                                 finishing->end.job) == ORR_ASLEEP)
            return ORR_ASLEEP;
        /* fall through */
    case FINISH_RELEASE:
        if (!pass(actor, finishing))
            return ORR_CONTINUE;
        finishing->at = FINISH_AWAIT;
        if (notify_done(actor, finishing))
            return ORR_CONTINUE;
        /* fall through */
    case FINISH_AWAIT:
        if (G_UNLIKELY(finishing->end.job->has_ending) &&
            !orr_job_may_end(actor, run, finishing->end.job)) {
            leave(finishing);
            return ORR_DONE;
        }
        finishing->at = FINISH_EPILOGUE;
        /* fall through */
    case FINISH_EPILOGUE:
        finishing->at = FINISH_FORGET;
        if (G_UNLIKELY(finishing->end.job->has_ending) &&
            orr_job_calls(actor, run, finishing->end.job, ORR_CALL_EPILOGUE))
            return ORR_CONTINUE;
        /* fall through */
    case FINISH_FORGET:
        if (!pass(actor, finishing))
            return ORR_CONTINUE;
        finishing->at = FINISH_END;
        run->graph.completed++;
        if (orr_window_heeds(&run->window))
            orr_run_interrupt(run);
        /* fall through */
    case FINISH_END:
        if (G_UNLIKELY(finishing->end.job->has_ending) &&
            orr_job_ending(finishing->end.job)->callback.function) {
            finishing->at = FINISH_CALLED_BACK;
            orr_job_call_end_and_callback(actor, run, finishing->end.job);
            return ORR_CONTINUE;
        }
        break;
    case FINISH_CALLED_BACK:
        leave(finishing);
        return ORR_DONE;
    }
    next = orr_job_end(actor, &finishing->end);
    if (next == ORR_DONE)
        leave(finishing);
    return next;
}

/* The end dependencies of a task are over: continues with its end. */
static enum orr_next continue_end(struct orr_actor *actor, struct orr_run *run,
                                  struct orr_job *end)
{
    const struct orr_job_end_wait wait = *orr_job_end_wait(end);
    struct finishing *finishing;

    orr_accesses_ended(run, actor->index, end);
    orr_job_free_end(&run->graph, end);
    if (wait.job->kind == ORR_JOB_SYNC) {
        orr_job_call_sync_end(actor, run, wait.job, true);
        return ORR_CONTINUE;
    }
    finishing = orr_actor_call(actor, finish, sizeof(*finishing));
    finishing->at = FINISH_EPILOGUE;
    finishing->worker = run->workers[wait.worker];
    finishing->end.run = run;
    finishing->end.job = wait.job;
    return ORR_CONTINUE;
}

const struct orr_job_ops orr_end_jobs = {.ready = continue_end};

void orr_worker_finish(struct orr_worker *worker)
{
    struct orr_job *job = worker->pipeline[worker->first];
    struct finishing *finishing =
        orr_actor_call(&worker->actor, finish, sizeof(*finishing));

    worker->run->engine.effects |= ORR_EFFECT_POLICY;
    orr_successors_prefetch_cache(&job->successors, &worker->run->graph.batches,
                                  2);
    finishing->worker = worker;
    finishing->end.run = worker->run;
    finishing->end.job = job;
    worker->ending = job;
    worker->pipeline[worker->first] = NULL;
    worker->first = (worker->first + 1) % ORR_MAX_PIPELINE;
    worker->count--;
    record_end(worker->run, worker, job);
    if (worker->run->totals.trace)
        trace_task(worker, job);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/worker.h"

#include "runtime/run.h"

/* How long a worker sleeps after a steal that found a lock taken (StarPU,
 * work_stealing_policy.c). */
#define COLLISION_TIME ORR_US

struct orr_worker *orr_worker_new(struct orr_run *run, unsigned index,
                                  unsigned device, const char *name)
{
    struct orr_worker *worker = g_new0(struct orr_worker, 1);

    worker->run = run;
    worker->index = index;
    worker->device = device;
    worker->depth = device == ORR_RAM ? 1 : run->pipeline;
    worker->memory = run->store.memories ? &run->store.memories[device] : NULL;
    worker->name = g_strdup(name);
    worker->sleeping = true;
    worker->scheduling = true;
    orr_actor_init(&worker->actor, &run->engine);
    if (run->engine.interleaving)
        worker->interleaved = g_malloc0(run->turns->workers.worker_bytes);
    worker->actor.index = index;
    return worker;
}

void orr_worker_free(struct orr_worker *worker)
{
    if (!worker)
        return;
    g_free(worker->name);
    g_free(worker->interleaved);
    orr_actor_clear(&worker->actor);
    g_free(worker);
}

bool orr_worker_mark_woken(struct orr_worker *worker)
{
    bool first = worker->sleeping && !worker->actor.woken;

    if (worker->sleeping || worker->scheduling)
        worker->actor.woken = true;
    return first;
}

bool orr_worker_wake(struct orr_worker *worker)
{
    bool first = orr_worker_mark_woken(worker);

    orr_actor_signal(&worker->actor);
    return first;
}

void orr_worker_push_own(struct orr_worker *worker, struct orr_job *job)
{
    struct orr_task *task = &job->active->task;
    struct orr_task **place = &worker->own;

    if (!worker->run->policy.ops->concurrent)
        orr_sched_bypassed(worker->run->policy.sched, task, worker->index);
    while (*place && (*place)->priority >= task->priority)
        place = &(*place)->next;
    task->next = *place;
    *place = task;
}

struct orr_task *orr_worker_pop_own(struct orr_worker *worker)
{
    struct orr_task *task = worker->own;

    if (task)
        worker->own = task->next;
    return task;
}

uint64_t orr_worker_visible_state(const struct orr_worker *worker)
{
    const bool flags[] = {
        worker->sleeping,  worker->scheduling,    worker->actor.woken,
        worker->collided,  worker->actor.waiting, worker->actor.signalled,
        worker->fetching,  worker->ended[0],      worker->ended[1],
        worker->ended[2],  worker->ended[3],      worker->draining,
        worker->suspended, worker->ending,        worker->awaited,
        worker->own,
    };
    uint64_t state = worker->buffers_arrived;

    state = state << 8 | worker->count << 4 | worker->first;
    for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++)
        state = state << 1 | flags[i];
    return state;
}

enum orr_next orr_worker_stop(struct orr_worker *worker)
{
    struct orr_pause *pause = &worker->run->pause;

    if (!pause->stopped)
        pause->stopped = g_ptr_array_new();
    g_ptr_array_add(pause->stopped, worker);
    return orr_actor_suspend(&worker->actor);
}

void orr_workers_resume(struct orr_run *run)
{
    GPtrArray *stopped = run->pause.stopped;

    for (guint i = 0; stopped && i < stopped->len; i++)
        orr_actor_resume(&((struct orr_worker *)stopped->pdata[i])->actor);
    if (stopped)
        g_ptr_array_set_size(stopped, 0);
}

static enum orr_next end_turn(struct orr_worker *worker, bool progressed)
{
    if (worker->collided) {
        worker->collided = false;
        return orr_actor_sleep(&worker->actor, worker->run->switches.overheads
                                                   ? COLLISION_TIME
                                                   : 0);
    }
    return progressed ? ORR_CONTINUE : orr_actor_wait(&worker->actor);
}

/* Not inline, since it is rare. */
static G_GNUC_NO_INLINE enum orr_next check_and_end(struct orr_worker *worker,
                                                    bool progressed)
{
    if (orr_engine_check(&worker->run->engine))
        return orr_actor_suspend(&worker->actor);
    return end_turn(worker, progressed);
}

enum orr_next orr_worker_end_turn(struct orr_worker *worker, bool progressed)
{
    if (orr_engine_turn(&worker->run->engine))
        return check_and_end(worker, progressed);
    return end_turn(worker, progressed);
}

/* Records when the kernel of @job begins and ends. */
static void record_kernel(struct orr_worker *worker, struct orr_job *job,
                          orr_time from, orr_time duration)
{
    struct orr_worker_report *report =
        &worker->run->totals.workers[worker->index];

    orr_successors_prefetch_cache(&job->successors, &worker->run->graph.batches,
                                  1);
    report->tasks++;
    orr_job_kernel(&worker->run->graph, job)->devices |= 1u << worker->device;
    report->busy_ns += duration;
    worker->ended[job->active->slot] = true;
    worker->kernels[job->active->slot] =
        (struct orr_span){from, from + duration};
    if (G_UNLIKELY(job->has_ending) && orr_job_ending(job)->calls) {
        struct orr_job_calls *calls = orr_job_ending(job)->calls;

        calls->worker = worker->index + 1;
        calls->started = from;
        calls->ended = from + duration;
    }
}

void orr_worker_kernel_ended(struct orr_worker *worker, struct orr_job *job,
                             orr_time duration)
{
    record_kernel(worker, job, worker->run->engine.now - duration, duration);
    if (worker->suspended) {
        worker->suspended = false;
        orr_actor_resume(&worker->actor);
    } else {
        orr_worker_signal_end(worker);
    }
}

void orr_worker_kernel_detached(struct orr_worker *worker, struct orr_job *job,
                                orr_time duration)
{
    record_kernel(worker, job, worker->run->engine.now, duration);
}

void orr_worker_signal_end(struct orr_worker *worker)
{
    worker->run->turns->workers.kernel_ended(worker);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The leads of workers and of the application. */
#include "runtime/application/acquire.h"
#include "runtime/diagnosis/hang_private.h"
#include "runtime/graph/tags.h"
#include "runtime/run.h"
#include "runtime/worker/lock.h"
#include "runtime/worker/worker.h"

static struct orr_lead await_lock(struct orr_run *run,
                                  const struct orr_blocked *blocked,
                                  const char *name)
{
    struct orr_worker *owner =
        blocked->owner == ORR_NO_WORKER ? NULL : run->workers[blocked->owner];
    const char *waits = blocked->tries ? "tries" : "waits";
    const char *what = blocked->tries ? "to take the lock" : "for the lock";
    struct orr_lead lead;

    if (!blocked->held)
        return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                            "%s %s in %s %s %s, which nobody holds", name,
                            waits, blocked->call, what, blocked->lock);
    lead = orr_lead_to(owner ? ORR_PARTY_WORKER : ORR_PARTY_APPLICATION,
                       owner ? (const void *)owner : &run->app.main,
                       "%s %s in %s %s %s, which %s holds", name, waits,
                       blocked->call, what, blocked->lock,
                       owner ? owner->name : "the application");
    lead.kind = ORR_HANG_LOCK_CYCLE;
    return lead;
}

/* The first task that worker @index could run and whose push had begun when the
 * worker began to wait; or NULL. */
static const struct orr_job *find_overtaken(const struct orr_scene *scene,
                                            unsigned index)
{
    for (guint i = 0; index != ORR_NO_WORKER && i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (job->activated && job->active->pushed &&
            orr_job_runs_on(scene->run, job, index) &&
            orr_run_overtook(scene->run, index, job))
            return job;
    }
    return NULL;
}

static struct orr_lead await_signal(const struct orr_scene *scene,
                                    unsigned index,
                                    const struct orr_blocked *blocked,
                                    const char *name)
{
    const struct orr_job *job = find_overtaken(scene, index);
    g_autofree char *task = job ? orr_hang_name_job(scene->run, job) : NULL;
    g_autofree char *date = orr_format_time(
        blocked->missed_at - scene->run->totals.first_submission);
    g_autofree char *missed =
        blocked->missed
            ? g_strdup_printf("; its last signal, at %s, found no waiter", date)
            : g_strdup("");

    if (job)
        return orr_lead_end(
            ORR_HANG_LOST_WAKEUP,
            "%s waits in %s on the condition %s, although the push of %s had "
            "begun before; nobody signals the condition any more%s",
            name, blocked->call, blocked->cond, task, missed);
    return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                        "%s waits in %s on the condition %s, which nobody has "
                        "signalled since%s",
                        name, blocked->call, blocked->cond, missed);
}

/* Whether the caller @index waits inside a concurrent policy; if so, sets
 * *@lead. */
static bool is_blocked(const struct orr_scene *scene, unsigned index,
                       const char *name, struct orr_lead *lead)
{
    struct orr_blocked blocked;

    if (!orr_run_blocked(scene->run, index, &blocked))
        return false;
    *lead = blocked.cond ? await_signal(scene, index, &blocked, name)
                         : await_lock(scene->run, &blocked, name);
    return true;
}

/* Whether @job needs a buffer of its worker for @data. */
static bool needs_buffer(const struct orr_run *run, const struct orr_job *job,
                         const struct orr_data *data)
{
    unsigned count = 0;
    struct orr_data *const *scratch =
        job->kind == ORR_JOB_KERNEL ? orr_job_scratch(run, job, &count) : NULL;

    for (unsigned i = 0; i < count; i++) {
        if (scratch[i] == data)
            return true;
    }
    return false;
}

/* @name, a thread, waits until no task needs a buffer for @data. */
static struct orr_lead await_buffers(const struct orr_scene *scene,
                                     const char *name,
                                     const struct orr_data *data)
{
    const struct orr_run *run = scene->run;
    const struct orr_job *job = NULL;
    g_autofree char *what = orr_data_describe(data);
    g_autofree char *task = NULL;

    for (guint i = 0; !job && i < scene->jobs->len; i++) {
        if (needs_buffer(run, scene->jobs->pdata[i], data))
            job = scene->jobs->pdata[i];
    }
    if (!job)
        return orr_lead_end(ORR_HANG_UNEXPLAINED, "%s waits to unregister %s",
                            name, what);
    task = orr_hang_name_job(run, job);
    return orr_lead_to(ORR_PARTY_TASK, job,
                       "%s waits to unregister %s, for which %s needs a buffer",
                       name, what, task);
}

/* @name waits for a datum that it is going to use. */
static struct orr_lead await_use(const struct orr_scene *scene,
                                 const char *name,
                                 const struct orr_thread *thread)
{
    const struct orr_acquisition *acquisition = thread->acquiring;
    g_autofree char *what = orr_data_describe(acquisition->data);

    if (thread->unregistering)
        return await_buffers(scene, name, thread->unregistering);
    if (acquisition->request)
        return orr_lead_to(ORR_PARTY_REQUEST, acquisition->request,
                           "%s waits for %s in host memory", name, what);
    return orr_lead_to(ORR_PARTY_TASK, acquisition->job, "%s waits to use %s",
                       name, what);
}

/* @name waits for the task of a tag. */
static struct orr_lead await_tag(const struct orr_run *run, const char *name,
                                 const struct orr_tag *tag)
{
    g_autofree char *task = tag->job ? orr_hang_name_job(run, tag->job) : NULL;

    if (!task)
        return orr_lead_end(ORR_HANG_NEVER_SUBMITTED,
                            "%s waits for the tag %" G_GUINT64_FORMAT
                            ", which no task has",
                            name, tag->id);
    if (tag->id == 0)
        return orr_lead_to(ORR_PARTY_TASK, tag->job, "%s waits for %s to end",
                           name, task);
    return orr_lead_to(ORR_PARTY_TASK, tag->job,
                       "%s waits for the tag %" G_GUINT64_FORMAT " of %s", name,
                       tag->id, task);
}

static const struct orr_thread *find_thread(const struct orr_run *run,
                                            unsigned number)
{
    const struct orr_thread *thread = &run->app.main;

    while (thread && (thread->number != number || thread->ended))
        thread = thread->next;
    return thread;
}

/* @name waits for another thread, or a callback, to wake it. */
static struct orr_lead await_other(const struct orr_run *run, const char *name,
                                   const struct orr_park *park)
{
    const char *what = park->what ? park->what : "another thread";
    const struct orr_thread *holder =
        park->held ? find_thread(run, park->holder) : NULL;
    g_autofree char *other = holder ? orr_hang_name_thread(run, holder) : NULL;
    struct orr_lead lead;

    if (!holder)
        return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                            "%s waits for %s, and is not woken", name, what);
    lead = orr_lead_to(ORR_PARTY_APPLICATION, holder, "%s waits for %s of %s",
                       name, what, other);
    lead.kind = ORR_HANG_LOCK_CYCLE;
    return lead;
}

struct orr_lead orr_lead_of_application(const struct orr_scene *scene,
                                        const struct orr_thread *thread)
{
    struct orr_run *run = scene->run;
    g_autofree char *name = orr_hang_name_thread(run, thread);
    struct orr_lead lead;

    if (run->pause.depth > 0)
        return orr_lead_end(
            ORR_HANG_PAUSED,
            "the application waits, but has paused the workers");
    if (is_blocked(scene, ORR_NO_WORKER, "the application", &lead))
        return lead;
    if (thread->acquiring)
        return await_use(scene, name, thread);
    if (thread->awaited)
        return await_tag(run, name, thread->awaited);
    if (thread->parked)
        return await_other(run, name, thread->parked);
    return orr_lead_end(ORR_HANG_UNEXPLAINED, "%s makes no progress", name);
}

struct orr_lead orr_lead_of_worker(const struct orr_scene *scene,
                                   const struct orr_worker *worker)
{
    const struct orr_mutex *mutex = &scene->run->store.driver_lock;
    struct orr_lead lead;
    g_autofree char *name = NULL;

    if (is_blocked(scene, worker->index, worker->name, &lead))
        return lead;
    if (worker->awaited) {
        name = orr_hang_name_request(scene, worker->awaited);
        return orr_lead_to(ORR_PARTY_REQUEST, worker->awaited,
                           "the driver of %s waits for %s", worker->name, name);
    }
    for (const struct orr_actor *actor = mutex->first_waiter; actor;
         actor = actor->next) {
        if (actor == &worker->actor)
            return orr_lead_to(ORR_PARTY_WORKER, mutex->owner,
                               "the driver of %s waits until the driver of %s "
                               "has allocated or freed memory",
                               worker->name,
                               ((const struct orr_worker *)mutex->owner)->name);
    }
    if (worker->count == 0)
        return orr_lead_end(ORR_HANG_UNEXPLAINED,
                            "the driver of %s makes no progress", worker->name);
    name = orr_hang_name_job(scene->run, worker->pipeline[worker->first]);
    if (worker->pipeline[worker->first] == worker->fetching)
        return orr_lead_to(ORR_PARTY_TASK, worker->fetching,
                           "%s first fetches the data of %s", worker->name,
                           name);
    return orr_lead_end(
        worker->ended[worker->first] ? ORR_HANG_LOST_WAKEUP
                                     : ORR_HANG_UNEXPLAINED,
        "%s sleeps and does not complete %s, whose kernel has %s", worker->name,
        name, worker->ended[worker->first] ? "ended" : "not ended");
}

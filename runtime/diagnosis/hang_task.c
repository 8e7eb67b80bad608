/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The leads of tasks: to others, their data, the policy. */
#include "runtime/application/acquire.h"
#include "runtime/diagnosis/hang_private.h"
#include "runtime/graph/tags.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/worker.h"

#include <string.h>

/* The access of @before to the first datum that both jobs access; or NULL. */
static const struct orr_job_access *find_common(const struct orr_job *before,
                                                const struct orr_job *job)
{
    for (unsigned i = 0; i < before->access_count; i++) {
        for (unsigned k = 0; k < job->access_count; k++) {
            if (orr_access_data(&before->accesses[i]) ==
                orr_access_data(&job->accesses[k]))
                return &before->accesses[i];
        }
    }
    return NULL;
}

/* A tag without a task for which @job waits; or NULL. */
static const struct orr_tag *find_tag(const struct orr_run *run,
                                      const struct orr_job *job)
{
    const struct orr_tag *tag = orr_tags_first(run->graph.tags);

    while (tag &&
           !orr_successors_has(&tag->waiting, &run->graph.batches, job->place))
        tag = tag->next;
    return tag;
}

/* @job, here called @name, waits for others. */
static struct orr_lead await_job(const struct orr_scene *scene,
                                 const struct orr_job *job, const char *name)
{
    const struct orr_job *before = orr_scene_before(scene, job);
    const struct orr_tag *tag = find_tag(scene->run, job);
    const struct orr_job_access *common;
    g_autofree char *other = NULL;
    g_autofree char *data = NULL;

    if (tag)
        return orr_lead_end(ORR_HANG_NEVER_SUBMITTED,
                            "%s waits for the tag %" G_GUINT64_FORMAT
                            ", which no task has",
                            name, tag->id);
    if (!before)
        return orr_lead_end(ORR_HANG_UNEXPLAINED,
                            "%s waits for %u tasks to end, but no task is left "
                            "that would release it",
                            name, job->awaited);
    other = orr_hang_name_job(scene->run, before);
    common = find_common(before, job);
    if (!common)
        return orr_lead_to(ORR_PARTY_TASK, before, "%s waits for %s to end",
                           name, other);
    data = orr_data_describe(orr_access_data(common));
    return orr_lead_to(
        ORR_PARTY_TASK, before, "%s waits until %s has %s %s", name, other,
        orr_access_mode(common) & ORR_W ? "written" : "read", data);
}

/* The job that awaits the end dependencies of @job, if @job has run and waits
 * for them; or NULL. */
static const struct orr_job *find_end(const struct orr_job *job)
{
    const struct orr_job *end =
        job->has_ending ? orr_job_ending(job)->end : NULL;

    return end && orr_job_end_wait(end)->has_run ? end : NULL;
}

/* @job has run, and @end awaits its end dependencies. */
static struct orr_lead await_end(const struct orr_scene *scene,
                                 const struct orr_job *job,
                                 const struct orr_job *end)
{
    unsigned releases = orr_job_end_wait(end)->releases;
    g_autofree char *name = orr_hang_name_job(scene->run, job);
    g_autofree char *its_end = g_strdup_printf("the end of %s", name);

    if (end->awaited == releases)
        return orr_lead_end(ORR_HANG_NOT_RELEASED,
                            "%s waits for %u more call%s of "
                            "orr_task_release_end()",
                            its_end, releases, releases == 1 ? "" : "s");
    return await_job(scene, end, its_end);
}

static bool calls_back(const struct orr_request *request,
                       const struct orr_worker *worker)
{
    const struct orr_callback *callback = request->callbacks;

    while (callback && callback->data != worker)
        callback = callback->next;
    return callback;
}

/* The request that calls @worker back when @data arrive, or NULL. */
static const struct orr_request *find_request(const struct orr_data *data,
                                              const struct orr_worker *worker)
{
    const struct orr_request *request = data->copies[worker->device].requests;

    if (data->invalidation && calls_back(data->invalidation, worker))
        return data->invalidation;
    while (request && !calls_back(request, worker))
        request = request->next_incoming;
    return request;
}

/* @job, which @worker holds, waits for data. */
static struct orr_lead await_data(const struct orr_run *run,
                                  const struct orr_job *job,
                                  const struct orr_worker *worker)
{
    g_autofree char *name = orr_hang_name_job(run, job);

    for (unsigned i = 0; i < job->access_count; i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);
        const struct orr_request *request =
            orr_scene_first_request(run, find_request(data, worker));
        g_autofree char *what = orr_data_describe(data);

        if (request)
            return orr_lead_to(ORR_PARTY_REQUEST, request,
                               "%s is assigned to %s and waits for %s", name,
                               worker->name, what);
    }
    if (worker->buffers_arrived == worker->buffers_awaited)
        return orr_lead_end(ORR_HANG_LOST_WAKEUP,
                            "the data of %s are on %s, whose driver sleeps and "
                            "does not start it",
                            name, worker->name);
    return orr_lead_end(
        ORR_HANG_UNEXPLAINED,
        "%s is assigned to %s and waits for data that were never requested",
        name, worker->name);
}

static struct orr_lead await_turn(const struct orr_job *job,
                                  const struct orr_worker *worker)
{
    const struct orr_job *first = worker->pipeline[worker->first];
    g_autofree char *name = orr_hang_name_job(worker->run, job);
    g_autofree char *other = NULL;

    if (first == job)
        return orr_lead_to(ORR_PARTY_WORKER, worker,
                           "%s is on %s, which does not complete it", name,
                           worker->name);
    other = orr_hang_name_job(worker->run, first);
    return orr_lead_to(ORR_PARTY_TASK, first, "%s is queued on %s, behind %s",
                       name, worker->name, other);
}

/* A worker that can run @job but is not free; or NULL. */
static const struct orr_worker *find_stuck(const struct orr_scene *scene,
                                           const struct orr_job *job)
{
    const struct orr_run *run = scene->run;

    for (unsigned w = 0; w < run->worker_count; w++) {
        const struct orr_worker *worker = run->workers[w];

        if (orr_job_runs_on(run, job, worker->index) && !scene->free[w])
            return worker;
    }
    return NULL;
}

/* "CUDA0, CUDA1 and CPU0". */
static char *list_able(const struct orr_run *run, const struct orr_job *job)
{
    GString *text = g_string_new(NULL);
    unsigned left = 0;

    for (unsigned w = 0; w < run->worker_count; w++)
        left += orr_job_runs_on(run, job, w);
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (!orr_job_runs_on(run, job, w))
            continue;
        left--;
        g_string_append_printf(text, "%s%s", run->workers[w]->name,
                               left > 1    ? ", "
                               : left == 1 ? " and "
                                           : "");
    }
    return g_string_free(text, FALSE);
}

/* Asked again, the policy gives @job to @worker. */
static struct orr_lead blame_sleep(const struct orr_run *run,
                                   const struct orr_job *job,
                                   const struct orr_worker *worker)
{
    const char *policy = run->policy.ops->name;
    g_autofree char *name = orr_hang_name_job(run, job);

    if (!orr_job_runs_on(run, job, worker->index))
        return orr_lead_end(ORR_HANG_NEVER_OFFERED,
                            "policy %s keeps %s for %s, which cannot run it",
                            policy, name, worker->name);
    if (orr_run_overtook(run, worker->index, job))
        return orr_lead_end(
            ORR_HANG_LOST_WAKEUP,
            "policy %s would now give %s to %s, but the last pop of %s found "
            "nothing although the push had begun, and no wake-up followed",
            policy, name, worker->name, worker->name);
    return orr_lead_end(
        ORR_HANG_TASKS_HELD,
        "policy %s would now give %s to %s, but %s sleeps and nobody wakes it",
        policy, name, worker->name, worker->name);
}

static bool blame_wakeup(const struct orr_scene *scene, struct orr_lead *lead)
{
    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        if (scene->offered[w]) {
            *lead = blame_sleep(scene->run, scene->offered[w],
                                scene->run->workers[w]);
            return true;
        }
    }
    return false;
}

/* The policy holds @job. */
static struct orr_lead await_policy(const struct orr_scene *scene,
                                    const struct orr_job *job)
{
    const struct orr_run *run = scene->run;
    const struct orr_worker *stuck = find_stuck(scene, job);
    g_autofree char *name = orr_hang_name_job(scene->run, job);
    g_autofree char *able = list_able(run, job);
    struct orr_lead lead;

    if (!*able)
        return orr_lead_end(ORR_HANG_NEVER_OFFERED,
                            "%s is ready, but no worker can run it", name);
    if (blame_wakeup(scene, &lead))
        return lead;
    if (stuck)
        return orr_lead_to(
            ORR_PARTY_WORKER, stuck,
            "%s is ready and held by policy %s; %s accepts no more tasks", name,
            run->policy.ops->name, stuck->name);
    return orr_lead_end(
        scene->asked ? ORR_HANG_NEVER_OFFERED : ORR_HANG_TASKS_HELD,
        "policy %s holds %s, while %s, which can run it, sleep%s%s%s",
        run->policy.ops->name, name, able, strchr(able, ' ') ? "" : "s",
        scene->asked     ? "; one more pop by each worker returns no task"
        : scene->failure ? "; one more pop fails: "
                         : "",
        scene->failure ? scene->failure : "");
}

/* How many data @job acquires before it runs. */
static unsigned count_acquired(const struct orr_run *run,
                               const struct orr_job *job)
{
    const uint16_t *places;

    return job->access_count + orr_job_redux(&run->graph, job, &places);
}

/* The access of @job that waits until others release its datum; or NULL. */
static const struct orr_job_access *find_claim(const struct orr_run *run,
                                               const struct orr_job *job)
{
    for (unsigned i = 0; i < count_acquired(run, job); i++) {
        const struct orr_data *data = orr_access_data(&job->accesses[i]);
        const struct orr_requester *claim = data->requesters;

        do {
            if (claim && claim->access == &job->accesses[i])
                return claim->access;
            claim = claim ? claim->next : NULL;
        } while (claim != data->requesters);
    }
    return NULL;
}

/* Whether @job has acquired @data: it is ready, and waits for no datum before
 * @data in its order. */
static bool holds(const struct orr_run *run, const struct orr_job *job,
                  const struct orr_data *data)
{
    const struct orr_job_access *claim = find_claim(run, job);
    unsigned count = job->activated ? count_acquired(run, job) : 0;

    for (unsigned i = 0; i < count && &job->accesses[i] != claim; i++) {
        if (orr_access_data(&job->accesses[i]) == data)
            return true;
    }
    return false;
}

/* Whether @job is to reduce @data. */
static bool will_reduce(const struct orr_run *run, const struct orr_job *job,
                        const struct orr_data *data)
{
    const struct orr_kernel *kernel = orr_job_kernel(&run->graph, job);

    return kernel && kernel->given.reduces &&
           orr_access_data(&job->accesses[0]) == data;
}

/* A job that holds @data, or held it last, or is to reduce them; or NULL. */
static const struct orr_job *find_holder(const struct orr_scene *scene,
                                         const struct orr_data *data)
{
    const struct orr_run *run = scene->run;

    for (guint i = 0; !data->holder && i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (holds(run, job, data) || will_reduce(run, job, data))
            return job;
    }
    return data->holder;
}

static struct orr_lead await_claim(const struct orr_scene *scene,
                                   const struct orr_job *job,
                                   const struct orr_job_access *access)
{
    const struct orr_data *data = orr_access_data(access);
    const struct orr_job *holder = find_holder(scene, data);
    const char *how = orr_access_group(access) & ORR_COMMUTE
                          ? "commutative access"
                          : "access";
    g_autofree char *name = orr_hang_name_job(scene->run, job);
    g_autofree char *what = orr_data_describe(data);
    g_autofree char *other = NULL;
    struct orr_lead lead;

    if (!g_ptr_array_find(scene->jobs, holder, NULL))
        return orr_lead_end(ORR_HANG_COMMUTE_HELD,
                            "%s waits for %s to %s, which %s", name, how, what,
                            holder ? "a task that has ended did not release"
                                   : "nobody holds");
    other = orr_hang_name_job(scene->run, holder);
    lead =
        orr_lead_to(ORR_PARTY_TASK, holder, "%s waits for %s to %s, held by %s",
                    name, how, what, other);
    lead.kind = ORR_HANG_COMMUTE_HELD;
    return lead;
}

/* Whether an actor that pushes or ends @job is still in the policy. */
static bool is_in_call(const struct orr_scene *scene, const struct orr_job *job,
                       struct orr_lead *lead)
{
    struct orr_run *run = scene->run;
    struct orr_worker *worker = NULL;
    unsigned index;
    bool pushes = orr_run_pushing(run, job, &index);
    g_autofree char *name = orr_hang_name_job(run, job);

    if (pushes && index != ORR_NO_WORKER)
        worker = run->workers[index];
    for (unsigned w = 0; !pushes && w < run->worker_count; w++) {
        if (run->workers[w]->ending == job)
            worker = run->workers[w];
    }
    if (!pushes && !worker)
        return false;
    *lead = orr_lead_to(worker ? ORR_PARTY_WORKER : ORR_PARTY_APPLICATION,
                        worker ? (const void *)worker : &run->app.main,
                        pushes ? "%s is being pushed by %s"
                               : "%s has ended, but %s, which executed it, has "
                                 "not released its successors yet",
                        name, worker ? worker->name : "the application");
    return true;
}

/* @job was pushed to the only worker that may run it. */
static struct orr_lead await_own_worker(const struct orr_run *run,
                                        const struct orr_job *job)
{
    const struct orr_worker *worker =
        run->workers[orr_job_kernel(&run->graph, job)->pinned_to];
    g_autofree char *name = orr_hang_name_job(run, job);

    return orr_lead_to(ORR_PARTY_WORKER, worker,
                       "%s is pinned to %s, and waits for it", name,
                       worker->name);
}

/* Whether the application has the datum of @job. */
static bool is_in_use(const struct orr_run *run, const struct orr_job *job)
{
    return job->kind == ORR_JOB_ACQUIRE &&
           orr_acquisition_of(run, job)->complete;
}

/* The application has the datum of @job. */
static struct orr_lead await_release(const struct orr_job *job)
{
    g_autofree char *what =
        orr_data_describe(orr_access_data(&job->accesses[0]));

    return orr_lead_end(ORR_HANG_NOT_RELEASED,
                        "the application has acquired %s, and not released it",
                        what);
}

struct orr_lead orr_lead_of_task(const struct orr_scene *scene,
                                 const struct orr_job *job)
{
    struct orr_lead lead;
    const struct orr_worker *worker = orr_scene_holder(scene, job);
    const struct orr_job_access *claim = find_claim(scene->run, job);
    const struct orr_job *end = find_end(job);
    const struct orr_active *active = orr_job_active(job);
    g_autofree char *name = orr_hang_name_job(scene->run, job);

    if (is_in_use(scene->run, job))
        return await_release(job);
    if (!job->activated && job->awaited > 0)
        return await_job(scene, job, name);
    if (end)
        return await_end(scene, job, end);
    if (worker && worker->fetching == job)
        return await_data(scene->run, job, worker);
    if (worker)
        return await_turn(job, worker);
    if (is_in_call(scene, job, &lead))
        return lead;
    if (active && active->pushed && job->pinned)
        return await_own_worker(scene->run, job);
    if (active && active->pushed)
        return await_policy(scene, job);
    if (claim)
        return await_claim(scene, job, claim);
    return orr_lead_end(ORR_HANG_UNEXPLAINED,
                        "%s waits for nothing, but makes no progress", name);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state that is diagnosed: unfinished jobs, free workers. */
#include "runtime/diagnosis/hang_private.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/worker.h"

static void collect(void *object, void *data)
{
    g_ptr_array_add(data, object);
}

/* Tasks by number, then the other jobs, which have no number. */
static int compare(const void *a, const void *b)
{
    const struct orr_job *x = *(struct orr_job *const *)a;
    const struct orr_job *y = *(struct orr_job *const *)b;

    if (!orr_job_is_task(x) || !orr_job_is_task(y))
        return !orr_job_is_task(x) - !orr_job_is_task(y);
    return (x->id > y->id) - (x->id < y->id);
}

static bool is_free(const struct orr_worker *worker)
{
    /* Its stack holds only the frame of its loop. */
    return worker->actor.waiting && !worker->actor.top->below &&
           worker->count < worker->depth && !worker->draining &&
           !worker->fetching;
}

/* A broken policy may return anything. */
static const struct orr_job *recognise(const struct orr_scene *scene,
                                       const struct orr_task *task)
{
    for (guint i = 0; task && i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (job->activated && &job->active->task == task)
            return job;
    }
    return NULL;
}

/* Returns false if the call of the policy fails or does not return. */
static bool ask_for(struct orr_scene *scene, unsigned worker)
{
    struct orr_run *run = scene->run;
    struct orr_task *task = NULL;
    bool returns = true;

    if (!run->policy.ops->concurrent)
        task = orr_sched_pop(run->policy.sched, worker);
    else
        returns = orr_concurrency_ask(run, worker, &task);
    if (run->error && !scene->failure)
        scene->failure = g_strdup(run->error->message);
    if (run->error)
        returns = false;
    g_clear_error(&run->error); /* the hang was there before */
    if (returns)
        scene->offered[worker] = recognise(scene, task);
    return returns;
}

static void ask(struct orr_scene *scene)
{
    const struct orr_run *run = scene->run;

    scene->asked = true;
    for (unsigned w = 0; w < run->worker_count; w++) {
        if (scene->free[w] && !ask_for(scene, w))
            scene->asked = false;
    }
}

void orr_scene_init(struct orr_scene *scene, struct orr_run *run, bool may_ask)
{
    *scene = (struct orr_scene){
        .run = run,
        .jobs = g_ptr_array_new(),
        .free = g_new(bool, run->worker_count),
        .offered = g_new0(const struct orr_job *, run->worker_count),
    };
    orr_graph_each_job(&run->graph, collect, scene->jobs);
    g_ptr_array_sort(scene->jobs, compare);
    for (unsigned w = 0; w < run->worker_count; w++)
        scene->free[w] = is_free(run->workers[w]);
    if (may_ask)
        ask(scene);
}

void orr_scene_clear(struct orr_scene *scene)
{
    g_ptr_array_unref(scene->jobs);
    g_free(scene->free);
    g_free(scene->offered);
    g_free(scene->failure);
}

const struct orr_job *orr_scene_task(const struct orr_scene *scene, uint64_t id)
{
    for (guint i = 0; i < scene->jobs->len; i++) {
        const struct orr_job *job = g_ptr_array_index(scene->jobs, i);

        if (orr_job_is_task(job) && job->id == id)
            return job;
    }
    return NULL;
}

const struct orr_job *orr_scene_before(const struct orr_scene *scene,
                                       const struct orr_job *job)
{
    for (guint i = 0; i < scene->jobs->len; i++) {
        const struct orr_job *before = g_ptr_array_index(scene->jobs, i);

        if (orr_successors_has(&before->successors, &scene->run->graph.batches,
                               job->place))
            return before;
    }
    return NULL;
}

const struct orr_worker *orr_scene_holder(const struct orr_scene *scene,
                                          const struct orr_job *job)
{
    for (unsigned w = 0; w < scene->run->worker_count; w++) {
        const struct orr_worker *worker = scene->run->workers[w];

        for (unsigned i = 0; i < worker->count; i++) {
            if (worker->pipeline[(worker->first + i) % ORR_MAX_PIPELINE] == job)
                return worker;
        }
    }
    return NULL;
}

struct orr_lead orr_lead_end(enum orr_hang_kind kind, const char *format, ...)
{
    struct orr_lead lead = {.ends = true, .kind = kind};
    va_list args;

    va_start(args, format);
    lead.why = g_strdup_vprintf(format, args);
    va_end(args);
    return lead;
}

struct orr_lead orr_lead_to(enum orr_party_kind kind, const void *what,
                            const char *format, ...)
{
    struct orr_lead lead = {.next = {kind, what}};
    va_list args;

    va_start(args, format);
    lead.why = g_strdup_vprintf(format, args);
    va_end(args);
    return lead;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/submit.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/bound.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/task/call.h"
#include "apps/starpu/task/data.h"
#include "apps/starpu/task/submitted.h"
#include "apps/starpu/task/tag.h"
#include "apps/starpu/task/tasks.h"

#include <starpu_profiling.h>
#include <starpu_scheduler.h>

#include <errno.h>
#include <string.h>

static void refuse_members(const struct starpu_task *task)
{
    if (task->soon_callback_func)
        sp_refuse("starpu_task.soon_callback_func", "tasks");
    if (task->transaction)
        sp_refuse("starpu_transaction_open", "transactions");
    if (task->workerorder)
        sp_refuse("starpu_task.workerorder", "tasks");
    if (task->recursive_task_func || task->bubble_func)
        sp_refuse("starpu_task.recursive_task_func", "recursive-tasks");
}

static void check(const struct starpu_task *task, const char *call)
{
    sp_need_session(call);
    if (G_UNLIKELY(!task || task->magic == SP_TASK_DESTROYED)) {
        sp_task_need(task, call);
        return;
    }
    if (G_UNLIKELY(task->magic != 42))
        sp_fail(call, "the task was not made by starpu_task_create() or "
                      "starpu_task_init(), or was cleaned");
    if (G_UNLIKELY(task->status != STARPU_TASK_INIT &&
                   task->status != STARPU_TASK_FINISHED))
        sp_fail(call, "task %s was submitted before, and has not ended",
                sp_task_name(task));
    if (G_UNLIKELY(task->workerids_len && !task->workerids))
        sp_fail(call, "task %s has workerids_len = %u and no workerids",
                sp_task_name(task), task->workerids_len);
    if (G_UNLIKELY(task->soon_callback_func || task->transaction ||
                   task->workerorder || task->recursive_task_func ||
                   task->bubble_func))
        refuse_members(task);
}

static bool synchronises(const struct starpu_task *task)
{
    return !task->cl || task->where == (int32_t)STARPU_NOWHERE ||
           task->cl->where == STARPU_NOWHERE;
}

/* The name for traces, which the run keeps. Programs name many tasks alike, by
 * a literal: the last names are remembered by their addresses. */
static const char *keep_name(const char *name)
{
    static struct {
        struct orr_run *run;
        const char *name, *kept;
    } known[64];
    size_t i = ((uintptr_t)name >> 3) % G_N_ELEMENTS(known);
    if (known[i].run != sp_session.run || known[i].name != name ||
        strcmp(known[i].kept, name) != 0) {
        known[i].run = sp_session.run;
        known[i].name = name;
        known[i].kept = sp_calls->run_keep_text(sp_session.run, name);
    }
    return known[i].kept;
}

/* The workers that may run a task, as far as it names some. */
struct workers {
    unsigned count;
    unsigned numbers[STARPU_NMAXWORKERS];
};

G_GNUC_NO_INLINE static void choose_workers(struct starpu_task *task,
                                            struct workers *workers,
                                            struct orr_task_spec *spec)
{
    workers->count = 0;
    if (task->execute_on_a_specific_worker) {
        workers->numbers[workers->count++] = task->workerid;
        spec->pinned = true;
    } else {
        for (unsigned w = 0; w < sp_session.workers; w++)
            if (sp_task_names_worker(task, w) && sp_task_can_run_on(task, w))
                workers->numbers[workers->count++] = w;
    }
    spec->worker_count = workers->count;
    spec->workers = workers->numbers;
}

static void set_dependencies(struct orr_task_spec *spec, struct sp_job *job)
{
    spec->tag = job->tag;
    if (G_UNLIKELY(job->wait_tags)) {
        spec->wait_count = job->wait_tags->len;
        spec->wait_tags = (const uint64_t *)(void *)job->wait_tags->data;
    }
    if (G_UNLIKELY(job->end_tags)) {
        spec->end_count = job->end_tags->len;
        spec->end_tags = (const uint64_t *)(void *)job->end_tags->data;
    }
    spec->end_releases = job->end_releases;
}

/* A task that the program can name later gets a tag: others may depend on it.
 */
static void give_tag(struct starpu_task *task, struct sp_job *job,
                     const char *call)
{
    if (job->state == SP_JOB_ENDED)
        job->tag = 0; /* of the last submission */
    job->state = SP_JOB_NEW;
    if (task->use_tag)
        sp_tag_submitted(job, call);
    else if (!job->unseen)
        sp_job_tag(job);
}

/* The policy of the program gets @task, which may have run and be freed before
 * orr_task_submit() returns. */
static void submit_to_policy(struct starpu_task *task, struct sp_job *job,
                             bool is_ended, const struct orr_task_spec *spec)
{
    bool is_unseen = job->unseen && !task->use_tag;
    job->number = sp_calls->run_next_task(sp_session.run);
    job->free_when_done = is_unseen && !is_ended;
    sp_submitted_add(job->number, task);
    task->sched_ctx = 0;
    sp_calls->task_submit(sp_session.run, spec);
    if (!is_ended && !is_unseen)
        sp_task_free_later(task);
}

static void submit_alone(struct starpu_task *task, struct sp_job *job,
                         bool is_ended, const struct orr_task_spec *spec)
{
    job->number = sp_calls->task_submit(sp_session.run, spec);
    if (is_ended)
        return; /* its last call destroys it */
    if (job->unseen && !task->use_tag)
        sp_task_free(task);
    else
        sp_task_free_later(task);
}

static void submit(struct starpu_task *task, struct sp_job *job, bool is_ended,
                   const struct orr_task_spec *spec)
{
    /* @spec refers to them. */
    g_autoptr(GArray) wait_tags G_GNUC_UNUSED =
        g_steal_pointer(&job->wait_tags);
    g_autoptr(GArray) end_tags G_GNUC_UNUSED = g_steal_pointer(&job->end_tags);
    task->status = STARPU_TASK_BLOCKED;
    sp_task_set_iterations(task);
    job->state = SP_JOB_SUBMITTED;
    job->end_releases = 0;
    bool profiled = task->profiling_info || starpu_profiling_status_get();
    if (G_UNLIKELY(profiled))
        sp_profile_submitted(task);
    if (G_UNLIKELY(sp_policy.sched && !spec->synchronises))
        submit_to_policy(task, job, is_ended, spec);
    else
        submit_alone(task, job, is_ended, spec);
}

static int submit_task(struct starpu_task *task, bool regenerated,
                       const char *call);

static void end(struct orr_run *run, void *data)
{
    struct starpu_task *task = data;

    (void)run;
    if (sp_task_ended(task))
        submit_task(task, true, "starpu_task.regenerate");
}

/* A policy in StarPU's interface gets priorities in its range. */
static void limit_priority(struct starpu_task *task)
{
    if (sp_policy.sched)
        task->priority = CLAMP(task->priority, starpu_sched_get_min_priority(),
                               starpu_sched_get_max_priority());
}

/* @regenerated: the task has just ended, and submits itself. */
static int submit_task(struct starpu_task *task, bool regenerated,
                       const char *call)
{
    check(task, call);
    limit_priority(task);
    struct sp_job *job = sp_job_of(task);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .priority = task->priority,
                                 .unordered = regenerated ||
                                              !task->sequential_consistency,
                                 .regenerated = regenerated};
    struct workers workers;
    struct sp_task_data data;
    if (task->cl)
        sp_codelet_check(task->cl);
    spec.synchronises = synchronises(task);
    if (!spec.synchronises && !sp_task_is_executable(task)) {
        sp_task_data_prepare(task, call); /* before it finds out, as StarPU */
        return -ENODEV;
    }
    if (task->where == -1 && task->cl)
        task->where = (int32_t)task->cl->where;
    if (task->synchronous)
        task->detach = 0;
    sp_task_data_fill(task, &data, &spec, call);
    if (!spec.synchronises) {
        if (task->name || task->cl->name)
            spec.name = keep_name(task->name ? task->name : task->cl->name);
        if (G_UNLIKELY(task->workerids_len ||
                       task->execute_on_a_specific_worker ||
                       (uint32_t)task->where != task->cl->where))
            choose_workers(task, &workers, &spec);
        sp_model_fill(task, &spec, call);
        spec.blocks_driver = sp_task_blocks_driver(task);
        if (G_UNLIKELY(sp_bound_records && task->cl->model != &sp_no_time))
            sp_bound_record(task, &spec);
    }
    give_tag(task, job, call);
    set_dependencies(&spec, job);
    struct orr_task_calls calls;
    bool is_ended = sp_task_calls_fill(task, &calls, &spec);
    if (is_ended) {
        spec.callback = end;
        spec.callback_data = task;
    }
    bool synchronous = task->synchronous;
    submit(task, job, is_ended, &spec);
    sp_task_data_clear(&data);
    if (synchronous) {
        sp_job_wait(job, call);
        if (task->destroy)
            sp_task_free(task);
    }
    return 0;
}

int sp_task_submit(struct starpu_task *task, const char *call)
{
    return submit_task(task, false, call);
}

int starpu_task_submit(struct starpu_task *task)
{
    return sp_task_submit(task, "starpu_task_submit()");
}

int starpu_task_submit_to_ctx(struct starpu_task *task, unsigned sched_ctx_id)
{
    static const char call[] = "starpu_task_submit_to_ctx()";
    sp_task_need(task, call);
    task->sched_ctx = sched_ctx_id;
    return sp_task_submit(task, call);
}

/* No order is implied by accesses. */
int starpu_task_submit_nodeps(struct starpu_task *task)
{
    static const char call[] = "starpu_task_submit_nodeps()";
    sp_task_need(task, call);
    task->sequential_consistency = 0;
    return sp_task_submit(task, call);
}

static void submit_empty(struct starpu_task *task, const char *call)
{
    sp_job_of(task)->unseen = true;
    sp_task_submit(task, call);
}

void starpu_create_sync_task(starpu_tag_t sync_tag, unsigned ndeps,
                             starpu_tag_t *deps, void (*callback)(void *),
                             void *callback_arg)
{
    starpu_tag_declare_deps_array(sync_tag, ndeps, deps);
    struct starpu_task *task = starpu_task_create();
    task->name = "create_sync_task";
    task->use_tag = 1;
    task->tag_id = sync_tag;
    task->callback_func = callback;
    task->callback_arg = callback_arg;
    submit_empty(task, "starpu_create_sync_task()");
}

void starpu_create_callback_task(void (*callback)(void *), void *callback_arg)
{
    struct starpu_task *task = starpu_task_create();
    task->name = "empty_task";
    task->callback_func = callback;
    task->callback_arg = callback_arg;
    submit_empty(task, "starpu_create_callback_task()");
}

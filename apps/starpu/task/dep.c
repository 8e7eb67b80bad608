/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/task/job.h"

#include <starpu_task_dep.h>

#include <stdarg.h>

static struct sp_job *job_to_submit(struct starpu_task *task, const char *call)
{
    sp_task_need(task, call);
    struct sp_job *job = sp_job_of(task);
    if (job->state == SP_JOB_SUBMITTED)
        sp_fail(call, "task %s was submitted already", sp_task_name(task));
    return job;
}

/* The tag of @dep, for which a task will wait; 0: it has ended. */
static uint64_t tag_of_dep(struct starpu_task *dep, const char *call)
{
    if (!dep)
        sp_fail(call, "a task in the array is NULL");
    sp_task_need(dep, call);
    struct sp_job *job = sp_job_of(dep);
    if (job->state == SP_JOB_ENDED)
        return 0;
    if (job->state == SP_JOB_SUBMITTED && !job->tag)
        sp_fail(call,
                "task %s was submitted, and nobody could know that "
                "others depend on it",
                sp_task_name(dep));
    return sp_job_tag(job);
}

static void add_deps(GArray **tags, unsigned ndeps,
                     struct starpu_task *task_array[], const char *call)
{
    if (ndeps && !task_array)
        sp_fail(call, "the array of %u tasks is NULL", ndeps);
    for (unsigned i = 0; i < ndeps; i++) {
        uint64_t tag = tag_of_dep(task_array[i], call);
        if (tag)
            sp_add_tag(tags, tag);
    }
}

void starpu_task_declare_deps_array(struct starpu_task *task, unsigned ndeps,
                                    struct starpu_task *task_array[])
{
    static const char call[] = "starpu_task_declare_deps()";
    add_deps(&job_to_submit(task, call)->wait_tags, ndeps, task_array, call);
}

void starpu_task_declare_end_deps_array(struct starpu_task *task,
                                        unsigned ndeps,
                                        struct starpu_task *task_array[])
{
    static const char call[] = "starpu_task_declare_end_deps()";
    add_deps(&job_to_submit(task, call)->end_tags, ndeps, task_array, call);
}

/* The tasks among @arguments; free with g_free(). */
static struct starpu_task **collect(unsigned ndeps, va_list arguments,
                                    const char *call)
{
    if (ndeps > SP_MOST_ARGUMENTS)
        sp_fail(call, "%u tasks as arguments", ndeps);
    struct starpu_task **tasks = g_new(struct starpu_task *, ndeps);

    for (unsigned i = 0; i < ndeps; i++)
        tasks[i] = va_arg(arguments, struct starpu_task *);
    return tasks;
}

void starpu_task_declare_deps(struct starpu_task *task, unsigned ndeps, ...)
{
    va_list arguments;
    va_start(arguments, ndeps);
    struct starpu_task **tasks =
        collect(ndeps, arguments, "starpu_task_declare_deps()");
    va_end(arguments);
    starpu_task_declare_deps_array(task, ndeps, tasks);
    g_free(tasks);
}

void starpu_task_declare_end_deps(struct starpu_task *task, unsigned ndeps, ...)
{
    va_list arguments;
    va_start(arguments, ndeps);
    struct starpu_task **tasks =
        collect(ndeps, arguments, "starpu_task_declare_end_deps()");
    va_end(arguments);
    starpu_task_declare_end_deps_array(task, ndeps, tasks);
    g_free(tasks);
}

void starpu_task_end_dep_add(struct starpu_task *t, int nb_deps)
{
    static const char call[] = "starpu_task_end_dep_add()";
    sp_task_need(t, call);
    if (nb_deps < 0)
        sp_fail(call, "%d end dependencies of task %s", nb_deps,
                sp_task_name(t));
    job_to_submit(t, call)->end_releases += (unsigned)nb_deps;
}

void starpu_task_end_dep_release(struct starpu_task *t)
{
    static const char call[] = "starpu_task_end_dep_release()";
    sp_task_need(t, call);
    struct sp_job *job = sp_job_of(t);
    if (job->state == SP_JOB_SUBMITTED)
        sp_calls->task_release_end(sp_session.run, job->number);
    else if (job->end_releases)
        job->end_releases--;
    else
        sp_fail(call, "task %s has no end dependency", sp_task_name(t));
}

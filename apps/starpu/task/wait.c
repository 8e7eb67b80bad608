/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/task/submit.h"
#include "apps/starpu/task/tag.h"
#include "apps/starpu/task/tasks.h"

#include <starpu_scheduler.h>

#include <errno.h>

void sp_job_wait(struct sp_job *job, const char *call)
{
    GError *error = NULL;
    bool done =
        job->tag ? sp_calls->run_wait_tag(sp_session.run, job->tag, &error)
                 : sp_calls->run_wait_task(sp_session.run, job->number, &error);
    if (!done)
        sp_fail_error(call, error);
}

int starpu_task_wait(struct starpu_task *task)
{
    static const char call[] = "starpu_task_wait()";
    sp_need_session(call);
    sp_task_need(task, call);
    if (task->detach)
        sp_fail(call, "task %s has detach = 1", sp_task_name(task));
    struct sp_job *job = sp_job_of(task);
    if (task->synchronous)
        return -EINVAL;
    if (job->state == SP_JOB_NEW)
        sp_fail(call, "task %s was not submitted", sp_task_name(task));
    if (job->state == SP_JOB_SUBMITTED)
        sp_job_wait(job, call);
    if (task->destroy)
        sp_task_free(task);
    return 0;
}

int starpu_task_wait_array(struct starpu_task **tasks, unsigned nb_tasks)
{
    if (nb_tasks && !tasks)
        sp_fail("starpu_task_wait_array()", "the array of %u tasks is NULL",
                nb_tasks);
    for (unsigned i = 0; i < nb_tasks; i++) {
        int result = starpu_task_wait(tasks[i]);
        if (result)
            return result;
    }
    return 0;
}

int starpu_task_finished(struct starpu_task *task)
{
    static const char call[] = "starpu_task_finished()";
    sp_task_need(task, call);
    if (task->detach)
        sp_fail(call, "task %s has detach = 1", sp_task_name(task));
    return sp_job_of(task)->state == SP_JOB_ENDED;
}

int starpu_task_wait_for_all(void)
{
    static const char call[] = "starpu_task_wait_for_all()";
    sp_need_session(call);
    GError *error = NULL;
    if (!sp_calls->run_wait(sp_session.run, &error))
        sp_fail_error(call, error);
    sp_tasks_free_waiting();
    return 0;
}

int starpu_task_wait_for_all_in_ctx(unsigned sched_ctx_id)
{
    (void)sched_ctx_id; /* there is one context */
    return starpu_task_wait_for_all();
}

int starpu_task_wait_for_n_submitted(unsigned n)
{
    static const char call[] = "starpu_task_wait_for_n_submitted()";
    sp_need_session(call);
    GError *error = NULL;
    if (!sp_calls->run_wait_in_flight(sp_session.run, n, &error))
        sp_fail_error(call, error);
    return 0;
}

int starpu_task_wait_for_n_submitted_in_ctx(unsigned sched_ctx_id, unsigned n)
{
    (void)sched_ctx_id;
    return starpu_task_wait_for_n_submitted(n);
}

int starpu_task_nsubmitted(void)
{
    return sp_session.run ? (int)sp_calls->run_tasks_in_flight(sp_session.run)
                          : 0;
}

int starpu_task_nready(void)
{
    return sp_session.run ? (int)sp_calls->run_tasks_ready(sp_session.run) : 0;
}

/* Limits of submitted tasks; below 0: none. */
static int least = -1, most = -1;

void sp_limits_begin(int minimum, int maximum)
{
    least = minimum;
    most = maximum;
}

static void set_limits(int minimum, int maximum)
{
    bool was_limited = least >= 0 && most >= 0;
    least = minimum;
    most = maximum;
    bool limited = least >= 0 && most >= 0;
    if (!sp_session.run || (!limited && !was_limited))
        return;
    sp_calls->run_set_window(sp_session.run,
                             limited ? (uint64_t)MIN(least, most) : 0,
                             limited ? (uint64_t)most : UINT64_MAX);
}

void starpu_set_limit_min_submitted_tasks(int limit_min)
{
    set_limits(limit_min, most);
}

void starpu_set_limit_max_submitted_tasks(int limit_max)
{
    set_limits(least, limit_max);
}

int starpu_get_limit_min_submitted_tasks(void)
{
    return least;
}

int starpu_get_limit_max_submitted_tasks(void)
{
    return most;
}

int starpu_task_wait_for_no_ready(void)
{
    return starpu_task_wait_for_all();
}

void starpu_do_schedule(void)
{
    sp_need_session("starpu_do_schedule()");
    sp_calls->run_schedule(sp_session.run);
}

void starpu_reset_scheduler(void)
{
    sp_need_session("starpu_reset_scheduler()");
    if (sp_policy.policy && sp_policy.policy->reset_scheduler)
        sp_warn("starpu_reset_scheduler(): reset_scheduler of policy %s is not "
                "called",
                sp_policy.policy->policy_name);
}

void sp_tasks_end(void)
{
    sp_tasks_free_waiting();
    sp_tags_end();
}

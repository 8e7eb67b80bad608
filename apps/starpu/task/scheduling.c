/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a policy does with a task that is ready. */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/device/policy_locks.h"
#include "apps/starpu/task/job.h"

#include <starpu_scheduler.h>

#include <errno.h>

int starpu_push_task_end(struct starpu_task *task)
{
    sp_task_need(task, "starpu_push_task_end()");
    task->scheduled = 1;
    return 0;
}

/* Under the lock of the worker, the task joins its queue; then it is woken. */
int starpu_push_local_task(int workerid, struct starpu_task *task, int back)
{
    static const char call[] = "starpu_push_local_task()";
    (void)back;
    struct orr_task *ready = sp_policy_asks(task);
    if (!ready)
        sp_fail(call, "the task is not ready, or no policy calls it");
    if (sp_job_of(task)->is_given)
        sp_fail(call, "the policy has given the task to a worker already");
    if (workerid < 0 || (unsigned)workerid >= sp_session.workers)
        sp_fail(call, "there is no worker %d", workerid);
    if (!orr_sched_can_run(sp_policy.sched, ready, (unsigned)workerid))
        return -ENODEV;
    orr_sched_choose_implementation(sp_policy.sched, ready,
                                    starpu_task_get_implementation(task));
    starpu_worker_lock(workerid);
    sp_job_of(task)->is_given = true;
    orr_sched_push_own(sp_policy.sched, ready, (unsigned)workerid);
    starpu_wake_worker_locked(workerid);
    starpu_push_task_end(task);
    starpu_worker_unlock(workerid);
    return 0;
}

void starpu_worker_get_sched_condition(int workerid,
                                       starpu_pthread_mutex_t **sched_mutex,
                                       starpu_pthread_cond_t **sched_cond)
{
    static starpu_pthread_cond_t conditions[STARPU_NMAXWORKERS];
    if (workerid < 0 || (unsigned)workerid >= sp_session.workers)
        sp_fail("starpu_worker_get_sched_condition()", "there is no worker %d",
                workerid);
    *sched_mutex = sp_policy_worker_mutex((unsigned)workerid);
    *sched_cond = &conditions[workerid];
}

void starpu_sched_task_break(struct starpu_task *task)
{
    (void)task;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/policy/tasks.h"

#include "apps/starpu/base/policy.h"
#include "apps/starpu/policy/guest.h"
#include "apps/starpu/task/job.h"
#include "apps/starpu/task/submitted.h"

void sp_tasks_begin_policy(void)
{
    sp_policy.ready = g_hash_table_new(NULL, NULL);
}

static void free_guest(gpointer task, gpointer ready, gpointer unused)
{
    (void)ready;
    (void)unused;
    sp_task_free(task);
}

void sp_tasks_end_policy(void)
{
    if (sp_guest_exists())
        g_hash_table_foreach(sp_policy.ready, free_guest, NULL);
    g_clear_pointer(&sp_policy.ready, g_hash_table_unref);
}

/* Known by the member note until it is done. */
struct starpu_task *sp_task_becomes_ready(struct orr_task *ready)
{
    struct starpu_task *task = ready->note;

    if (task)
        return task;
    task =
        sp_guest_exists() ? sp_guest_task(ready) : sp_submitted_take(ready->id);
    task->sched_ctx = 0;
    ready->note = task;
    g_hash_table_insert(sp_policy.ready, task, ready);
    return task;
}

void sp_task_is_done(struct orr_task *ready)
{
    struct starpu_task *task = ready->note;

    g_hash_table_remove(sp_policy.ready, task);
    if (sp_guest_exists() || sp_job_of(task)->free_when_done)
        sp_task_free(task);
}

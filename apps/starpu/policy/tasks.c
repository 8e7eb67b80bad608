/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/policy/tasks.h"

#include <orrery.h>
#include <string.h>

#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/policy/guest.h"
#include "apps/starpu/task/job.h"
#include "apps/starpu/task/submitted.h"

/* The tasks that ended last, of which the policy may still have a pointer. */
enum { ENDED = 64 };

static struct {
    struct ended_task {
        const struct starpu_task *task;
        uint64_t id;
        unsigned worker;
    } tasks[ENDED];
    unsigned next;
} ended;

void sp_tasks_begin_policy(void)
{
    sp_policy.ready = g_hash_table_new(NULL, NULL);
    memset(&ended, 0, sizeof(ended));
}

static void free_guest(gpointer task, gpointer ready, gpointer unused)
{
    (void)ready;
    (void)unused;
    sp_task_free(task);
}

static void forget_submitted(void *number, void *task, void *unused)
{
    (void)number;
    (void)unused;
    if (sp_guest_exists())
        sp_task_free(task);
}

void sp_tasks_end_policy(void)
{
    if (sp_guest_exists())
        g_hash_table_foreach(sp_policy.ready, free_guest, NULL);
    sp_submitted_end(forget_submitted);
    g_clear_pointer(&sp_policy.ready, g_hash_table_unref);
}

struct starpu_task *sp_task_of_submission(struct orr_task *submitted)
{
    struct starpu_task *task = sp_submitted_take(submitted->id);

    if (!task)
        task = sp_guest_task(submitted);
    sp_submitted_add(submitted->id, task);
    return task;
}

/* Known by the member note until it is done. */
struct starpu_task *sp_task_becomes_ready(struct orr_task *ready)
{
    struct starpu_task *task = ready->note;

    if (task)
        return task;
    task = sp_submitted_take(ready->id);
    if (!task)
        task = sp_guest_task(ready);
    ready->note = task;
    g_hash_table_insert(sp_policy.ready, task, ready);
    return task;
}

/* "returns task 3, which CUDA0 was given already", or the like. */
static char *describe_ended(const struct starpu_task *task)
{
    for (unsigned i = 0; i < ENDED; i++) {
        const struct ended_task *one = &ended.tasks[i];

        if (one->task == task)
            return g_strdup_printf(
                "returns task %" G_GUINT64_FORMAT
                ", which %s was given already",
                one->id, orr_run_worker_name(sp_session.run, one->worker));
    }
    return NULL;
}

void sp_task_refuse_popped(const struct starpu_task *task)
{
    g_autofree char *does = describe_ended(task);

    if (does)
        orr_sched_stop_as(sp_policy.sched, ORR_ERROR_POLICY_TWICE, does);
    else
        orr_sched_stop(sp_policy.sched,
                       "returns a pointer that is not a ready task");
}

void sp_task_is_done(struct orr_task *ready)
{
    struct starpu_task *task = ready->note;

    g_hash_table_remove(sp_policy.ready, task);
    ended.tasks[ended.next] =
        (struct ended_task){task, ready->id, (unsigned)task->workerid};
    ended.next = (ended.next + 1) % ENDED;
    if (sp_job_of(task)->free_when_done)
        sp_task_free(task);
}

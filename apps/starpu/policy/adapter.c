/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The application is a program for StarPU: the policy gets the tasks that the
 * program has made. Or it is one of Orrery's: then guest.c makes tasks and
 * handles that stand for the real ones.
 */
#include "apps/starpu/policy/adapter.h"

#include <orrery.h>

#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/device/context.h"
#include "apps/starpu/device/policy_locks.h"
#include "apps/starpu/device/raw_calls.h"
#include "apps/starpu/policy/guest.h"
#include "apps/starpu/policy/tasks.h"
#include "apps/starpu/task/job.h"

/* The table of a policy. */
struct table {
    struct orr_sched_ops ops;
    const struct starpu_sched_policy *policy;
    char *name;
    struct table *next;
};

typedef void change_workers(unsigned context, int *workers, unsigned count);

static void with_all_workers(change_workers *change)
{
    int workers[STARPU_NMAXWORKERS];

    for (unsigned w = 0; w < sp_session.workers; w++)
        workers[w] = (int)w;
    if (change)
        change(0, workers, sp_session.workers);
}

/* A program gives its tasks the priorities that it likes; Orrery's applications
 * do so if the policy uses them. */
static void set_priorities(struct orr_sched *sched)
{
    bool is_free =
        !sp_guest_exists() || sp_policy.most == INT_MAX || sp_policy.least < 0;

    if (is_free || sp_policy.has_most)
        orr_sched_use_priorities(sched, is_free ? 0 : sp_policy.most);
}

/* In StarPU each worker looks for a task before there are any, in this order.
 * In a program orr_run_wake() makes them do so. */
static void look_for_tasks(const struct starpu_sched_policy *policy)
{
    unsigned count = sp_session.workers;

    for (unsigned i = 0; sp_guest_exists() && i < count; i++) {
        sp_policy.passive_caller = (int)(i > 0 ? count - i : 0);
        if (policy->pop_task(0))
            orr_sched_stop(sp_policy.sched,
                           "calls pop_task before there are tasks, which "
                           "returns one");
    }
    sp_policy.passive_caller = -1;
}

/* Forgets the run, of which nothing is asked. */
static void forget(void)
{
    sp_policy.passive = false;
    sp_tasks_end_policy();
    sp_context_end();
    sp_policy_locks_end();
    sp_guest_end();
    sp_policy = (struct sp_policy){.sched = NULL};
}

static void init(struct orr_sched *sched)
{
    const struct table *table = orr_sched_data(sched);
    const struct starpu_sched_policy *policy = table->policy;

    if (sp_policy.sched) { /* of a run in which the policy has failed */
        sp_policy.sched = sched;
        forget();
    }
    sp_policy.sched = sched;
    sp_policy.policy = policy;
    sp_policy.passive = true;
    sp_policy.passive_caller = -1;
    sp_tasks_begin_policy();
    sp_guest_begin(sched);
    if (policy->init_sched)
        policy->init_sched(0);
    with_all_workers(policy->add_workers);
    look_for_tasks(policy);
    sp_policy.passive = false;
    set_priorities(sched);
}

static void fini(struct orr_sched *sched)
{
    const struct starpu_sched_policy *policy = sp_policy.policy;

    (void)sched;
    sp_policy.passive = true;
    sp_policy.passive_caller = -1;
    with_all_workers(policy->remove_workers);
    if (policy->deinit_sched)
        policy->deinit_sched(0);
    forget();
}

static void push(struct orr_sched *sched, struct orr_task *ready)
{
    struct starpu_task *task = sp_task_becomes_ready(ready);
    g_autofree char *does = NULL;
    int status;

    task->status = STARPU_TASK_READY;
    sp_job_of(task)->is_given = false; /* a program may submit it again */
    status = sp_policy.policy->push_task(task);
    if (!status)
        return;
    does = g_strdup_printf("returns %d for task %" G_GUINT64_FORMAT " (%s)",
                           status, ready->id, ready->kernel);
    orr_sched_stop(sched, does);
}

/* A task that was given to a worker before is returned as it is: the host
 * names that worker. */
static struct orr_task *pop(struct orr_sched *sched, unsigned worker)
{
    struct starpu_task *task = sp_policy.policy->pop_task(0);
    struct orr_task *ready = task ? sp_policy_ready(task) : NULL;

    (void)worker;
    if (!task)
        return NULL;
    if (ready && !sp_job_of(task)->is_given) {
        sp_job_of(task)->is_given = true;
        ready->priority = task->priority;
        orr_sched_choose_implementation(sched, ready,
                                        starpu_task_get_implementation(task));
        return ready;
    }
    if (!ready)
        sp_task_refuse_popped(task);
    return ready;
}

static void started(struct orr_sched *sched, struct orr_task *ready,
                    unsigned worker)
{
    struct starpu_task *task = sp_task_becomes_ready(ready);

    (void)sched;
    task->status = STARPU_TASK_RUNNING;
    task->workerid = worker;
    if (sp_policy.policy->pre_exec_hook)
        sp_policy.policy->pre_exec_hook(task, 0);
}

static void done(struct orr_sched *sched, struct orr_task *ready,
                 unsigned worker)
{
    (void)sched;
    (void)worker;
    if (sp_policy.policy->post_exec_hook)
        sp_policy.policy->post_exec_hook(sp_task_becomes_ready(ready), 0);
    sp_task_is_done(ready);
}

static void bypassed(struct orr_sched *sched, struct orr_task *ready,
                     unsigned worker)
{
    (void)sched;
    sp_policy.policy->push_task_notify(sp_task_becomes_ready(ready),
                                       (int)worker, (int)worker, 0);
}

static void submitted(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    sp_policy.policy->submit_hook(sp_task_of_submission(task));
}

static void schedule(struct orr_sched *sched)
{
    (void)sched;
    sp_policy.policy->do_schedule(0);
}

/* Names of Orrery's policies have lower-case letters, digits and dashes. */
static char *plain_name(const char *name)
{
    char *plain = g_ascii_strdown(name && *name ? name : "own", -1);

    return g_strcanon(plain, "abcdefghijklmnopqrstuvwxyz0123456789-", '-');
}

static struct table *make_table(const struct starpu_sched_policy *policy)
{
    struct table *table = g_new0(struct table, 1);

    table->policy = policy;
    table->name = plain_name(policy->policy_name);
    table->ops = (struct orr_sched_ops){
        .name = table->name,
        .summary = policy->policy_description ? policy->policy_description
                                              : table->name,
        .data = table,
        .concurrent = true,
        .worker_locks = true,
        .prefetches = policy->prefetches != 0,
        .init = init,
        .fini = fini,
        .push = push,
        .pop = pop,
        .bypassed = policy->push_task_notify ? bypassed : NULL,
        .started = started,
        .done = done,
        .submitted = policy->submit_hook ? submitted : NULL,
        .schedule = policy->do_schedule ? schedule : NULL,
    };
    return table;
}

const struct orr_sched_ops *
sp_policy_table(const struct starpu_sched_policy *policy, GError **error)
{
    static struct table *tables;
    static GMutex lock;
    struct table *table;

    if (!policy->push_task || !policy->pop_task) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "policy %s lacks the function %s",
                    policy->policy_name ? policy->policy_name : "without name",
                    policy->push_task ? "pop_task" : "push_task");
        return NULL;
    }
    g_mutex_lock(&lock);
    for (table = tables; table && table->policy != policy; table = table->next)
        ;
    if (!table) {
        table = make_table(policy);
        sp_raw_calls_catch((const void *)(uintptr_t)policy->push_task);
        sp_raw_calls_catch((const void *)(uintptr_t)policy->init_sched);
        table->next = tables;
        tables = table;
    }
    g_mutex_unlock(&lock);
    return &table->ops;
}

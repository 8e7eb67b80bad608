/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The host of a concurrent policy with locks of workers in lock-step: its
 * questions and wake-ups take the turns that they take in StarPU, and then are
 * answered as for all policies.
 */
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"
#include "runtime/worker/policy_turns.h"
#include "runtime/worker/worker.h"

/* The call that acts; NULL: none, so that the answer takes no turn. */
static struct orr_caller *caller_of(struct orr_run *run)
{
    return orr_concurrency_caller(run);
}

static const struct orr_policy_turns *turns_of(const struct orr_run *run)
{
    return run->turns->workers.policy;
}

static void ask_model(struct orr_run *run, const struct orr_task *task)
{
    struct orr_caller *caller = caller_of(run);

    if (caller)
        turns_of(run)->ask_model(caller, orr_job_of(task));
}

static orr_time duration(void *data, const struct orr_task *task,
                         unsigned worker)
{
    struct orr_run *run = data;

    ask_model(run, task);
    return run->policy.plain_host->duration(data, task, worker);
}

static const orr_time *durations(void *data, const struct orr_task *task)
{
    struct orr_run *run = data;

    ask_model(run, task);
    return run->policy.plain_host->durations(data, task);
}

static unsigned implementations(void *data, const struct orr_task *task,
                                const orr_time **answer)
{
    struct orr_run *run = data;

    ask_model(run, task);
    return run->policy.plain_host->implementations(data, task, answer);
}

static orr_time transfer(void *data, const struct orr_task *task, unsigned node)
{
    struct orr_run *run = data;
    struct orr_caller *caller = caller_of(run);

    if (caller)
        turns_of(run)->ask_transfer(caller, orr_job_of(task), node);
    return run->policy.plain_host->transfer(data, task, node);
}

static void prefetch(void *data, struct orr_task *task, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = caller_of(run);

    if (caller)
        turns_of(run)->prefetch(caller, orr_job_of(task), run->workers[worker]);
    else
        run->policy.plain_host->prefetch(data, task, worker);
}

static bool wake(void *data, unsigned worker)
{
    struct orr_run *run = data;
    struct orr_caller *caller = caller_of(run);

    return caller ? turns_of(run)->wake(caller, run->workers[worker])
                  : run->policy.plain_host->wake(data, worker);
}

void orr_run_host_policy_in_turns(struct orr_run *run)
{
    struct orr_sched_host *host = &run->policy.host;

    if (!run->policy.plain_host)
        run->policy.plain_host = g_memdup2(host, sizeof(*host));
    host->duration = duration;
    host->durations = durations;
    host->transfer = transfer;
    host->prefetch = prefetch;
    host->wake = wake;
    host->choose_implementation = run->policy.plain_host->choose_implementation;
    host->implementations =
        run->policy.plain_host->implementations ? implementations : NULL;
}

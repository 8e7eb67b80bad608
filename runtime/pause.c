/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application wakes, pauses and resumes the workers, and has the policy
 * decide. */
#include "runtime/arguments.h"
#include "runtime/run.h"
#include "runtime/worker/concurrent.h"

/* It has not popped yet, so it does not count as asleep. */
static void wake(struct orr_worker *worker)
{
    worker->sleeping = worker->scheduling = false;
    orr_actor_signal(&worker->actor);
}

void orr_run_wake(struct orr_run *run)
{
    unsigned first_class = run->gpu_count ? run->gpu_count : run->worker_count;

    if (orr_run_ignores(run) || !run->engine.interleaving)
        return;
    /* In StarPU they arrive there in descending order, but the first worker
     * before the others of its class. */
    for (unsigned i = run->worker_count; i-- > first_class;)
        wake(run->workers[i]);
    wake(run->workers[0]);
    for (unsigned i = first_class; i-- > 1;)
        wake(run->workers[i]);
}

struct resuming {
    struct orr_run *run;
};

static enum orr_next resume(struct orr_actor *actor, void *locals)
{
    (void)actor;
    orr_workers_resume(((struct resuming *)locals)->run);
    return ORR_DONE;
}

void orr_run_pause(struct orr_run *run)
{
    if (!orr_run_ignores(run))
        run->pause.depth++;
}

void orr_run_resume(struct orr_run *run)
{
    struct resuming *resuming;

    if (orr_run_ignores(run))
        return;
    if (run->pause.depth == 0) {
        orr_run_refuse(run, "the workers are not paused, but resumed");
        return;
    }
    if (--run->pause.depth > 0)
        return;
    if (run->app.collected) { /* in a callback: its actor acts */
        orr_workers_resume(run);
        return;
    }
    resuming = orr_actor_call(orr_run_actor(run), resume, sizeof(*resuming));
    resuming->run = run;
    orr_actor_act(orr_run_actor(run));
    orr_run_until_idle(run);
}

void orr_run_schedule(struct orr_run *run)
{
    if (orr_run_ignores(run) || run->app.collected)
        return;
    orr_concurrency_schedule(run);
    orr_run_until_idle(run);
}

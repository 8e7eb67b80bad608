/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application wakes, pauses and resumes the workers. */
#include "runtime/arguments.h"
#include "runtime/run.h"

void orr_run_wake(struct orr_run *run)
{
    unsigned count = run->worker_count;

    if (orr_run_ignores(run) || !run->engine.interleaving)
        return;
    /* In StarPU they arrive there in this order. None has popped yet, so none
     * counts as asleep. */
    for (unsigned i = 0; i < count; i++) {
        struct orr_worker *worker = run->workers[i > 0 ? count - i : 0];

        worker->sleeping = worker->scheduling = false;
        orr_actor_signal(&worker->actor);
    }
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

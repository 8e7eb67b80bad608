/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application pauses the workers, as in the reference (StarPU, workers.c:
 * _starpu_may_pause()): each stops where its loop begins, and they continue in
 * the order in which they stopped. */
#include "runtime/pause.h"

#include "runtime/arguments.h"
#include "runtime/run.h"

enum orr_next orr_pause_worker(struct orr_worker *worker)
{
    struct orr_pause *pause = &worker->run->pause;

    if (!pause->stopped)
        pause->stopped = g_ptr_array_new();
    g_ptr_array_add(pause->stopped, worker);
    return orr_actor_suspend(&worker->actor);
}

static void resume_all(struct orr_run *run)
{
    GPtrArray *stopped = run->pause.stopped;

    for (guint i = 0; stopped && i < stopped->len; i++)
        orr_actor_resume(&((struct orr_worker *)stopped->pdata[i])->actor);
    if (stopped)
        g_ptr_array_set_size(stopped, 0);
}

struct resuming {
    struct orr_run *run;
};

static enum orr_next resume(struct orr_actor *actor, void *locals)
{
    (void)actor;
    resume_all(((struct resuming *)locals)->run);
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
        resume_all(run);
        return;
    }
    resuming = orr_actor_call(&run->main, resume, sizeof(*resuming));
    resuming->run = run;
    orr_actor_act(&run->main);
    orr_run_until_idle(run, &run->main);
}

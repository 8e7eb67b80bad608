/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/window.h"

#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

/* No event is left, and the window is shut. */
static void record_hang(struct orr_run *run)
{
    /* After a livelock no event is left. After a mistake of the policy, workers
     * that would call it wait for the run to end. */
    if (run->diagnosis.hang || run->error)
        return;
    run->diagnosis.hang = orr_hang_new(run, true);
    if (run->diagnosis.hang->policy_acts)
        return;
    run->window.lifted = true;
    run->window.held = run->graph.submitted - run->graph.completed;
    run->totals.trace = NULL;
    run->engine.decider = NULL;
}

/* In lock-step, where the application waits in operations of its own. */
static void await_in_lockstep(struct orr_run *run)
{
    run->turns->workers.await_window(run);
    while (!orr_actor_idle(&run->main)) {
        if (orr_run_step(run) || run->turns->workers.notify_window(run))
            continue;
        record_hang(run);
        if (!run->turns->workers.notify_window(run))
            return;
    }
}

void orr_window_await(struct orr_run *run)
{
    if (run->turns->workers.await_window) {
        await_in_lockstep(run);
        return;
    }
    if (orr_run_in_flight(run) < run->window.shuts)
        return;
    while (!run->window.lifted && orr_run_in_flight(run) > run->window.opens) {
        run->window.closed = true;
        if (!orr_run_step(run)) {
            record_hang(run);
            return;
        }
    }
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/window.h"

#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

static uint64_t count_in_flight(const struct orr_run *run)
{
    return run->graph.submitted - run->graph.completed;
}

/* No event is left, and the window is shut. */
static void note_hang(struct orr_run *run)
{
    if (run->hang) /* a livelock: its events are withdrawn */
        return;
    run->hang = orr_hang_new(run, true);
    if (run->hang->policy_acts)
        return;
    run->window_lifted = true;
    run->window_held = count_in_flight(run);
    run->trace = NULL;
    run->engine.decider = NULL;
}

void orr_window_await(struct orr_run *run)
{
    if (count_in_flight(run) < run->window_shuts)
        return;
    while (!run->window_lifted && count_in_flight(run) > run->window_opens) {
        run->window_closed = true;
        if (!orr_run_step(run)) {
            note_hang(run);
            return;
        }
    }
}

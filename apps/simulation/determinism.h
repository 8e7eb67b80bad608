/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DETERMINISM_H
#define ORR_DETERMINISM_H

#include "apps/settings/settings.h"
#include "runtime/orrery_trace.h"

/*
 * Checks that a policy is deterministic: a run is repeated and must give the
 * same trace. It does not if the policy depends on addresses, clocks or
 * uninitialised memory. To expose this, memory of the second run has other
 * addresses and another initial content: the first run stays in memory, the
 * heap is fragmented, and malloc() fills memory with another byte.
 */
struct orr_log; /* the trace of one run */

struct orr_determinism {
    struct orr_run *first;
    struct orr_log *one;       /* trace of the first run */
    struct orr_log *two;       /* trace of the second run */
    void **holes[2];           /* blocks that fragment the heap, for each run */
    const struct orr_app *app; /* borrowed */
};

/*
 * Performs the first run, with the resolved @scenario, which has a policy.
 * Returns ORR_EXIT_OK, also if the run hangs; otherwise the exit status, with
 * @error. Clear @twice in any case, after the second run.
 */
enum orr_exit orr_determinism_begin(struct orr_determinism *twice,
                                    const struct orr_scenario *scenario,
                                    GError **error);
void orr_determinism_clear(struct orr_determinism *twice);

/* Returns the trace to use in the second run. Borrowed. */
struct orr_trace *orr_determinism_observer(struct orr_determinism *twice);

/*
 * Returns whether @run, the second run, did the same as the first. Otherwise
 * fails with ORR_ERROR_VALUE; the message names the first difference.
 */
bool orr_determinism_check(const struct orr_determinism *twice,
                           struct orr_run *run, GError **error);

/* Performs both runs with the resolved @scenario. Returns their first
 * difference, a sentence without a full stop, to be freed with g_free(); NULL
 * if there is none, or if a run fails. */
char *orr_determinism_difference(const struct orr_scenario *scenario);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIMULATE_H
#define ORR_SIMULATE_H

#include "apps/report/facts.h"
#include "models/bounds/bounds.h"

/*
 * Simulates what @settings, resolved, say, but under the policy @sched, and
 * tells @trace (or NULL) about it.
 *
 * Returns the exit status that suits: if that has facts, *@facts (see facts.h)
 * is set, to be freed with json_object_unref(); unless it is ORR_EXIT_OK,
 * @error is, which must not be NULL. Touches nothing shared: simulations may
 * run in several threads.
 */
enum orr_exit orr_simulate(const struct orr_settings *settings,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error);

/* Whether a run with that status ended or hangs: of others nothing is known. */
static inline bool orr_exit_has_facts(enum orr_exit status)
{
    return status == ORR_EXIT_OK || status == ORR_EXIT_STALLED ||
           status == ORR_EXIT_LIVELOCKED;
}

/*
 * The same without facts: *@run is what was run, to be freed with
 * orr_run_free(). It is there after a run that hung, too, for those who want
 * to know why; NULL if it could not begin.
 */
enum orr_exit orr_simulate_run(const struct orr_settings *settings,
                               const char *sched, struct orr_trace *trace,
                               struct orr_run **run, GError **error);

/* The machine of @settings; orr_machine_free() it. NULL with @error. */
struct orr_machine *orr_simulate_machine(const struct orr_settings *settings,
                                         GError **error);

/*
 * Reads the machine of @settings once for all simulations to come, which share
 * it. Fails as above.
 */
enum orr_exit orr_simulate_share(struct orr_settings *settings, GError **error);

/* With more tasks, the graph takes more memory than its bounds are worth. */
#define ORR_BOUNDS_MAX_TASKS 2e6

/*
 * Bounds of what @settings, resolved, say, for any policy. Fails as above.
 * With more than ORR_BOUNDS_MAX_TASKS, all of them are NAN, and so they are if
 * durations are replayed: a record does not say what a task would have taken
 * elsewhere.
 */
enum orr_exit orr_simulate_bounds(const struct orr_settings *settings,
                                  struct orr_bounds *bounds, GError **error);

#endif

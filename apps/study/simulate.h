/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIMULATE_H
#define ORR_SIMULATE_H

#include "apps/report/facts.h"
#include "models/bounds/bounds.h"

/*
 * Simulates a run with the resolved @settings, but under the policy @sched,
 * with the trace @trace (or NULL).
 *
 * Returns the exit status. If it has facts, *@facts is set (facts.h); free with
 * json_object_unref(). Unless it is ORR_EXIT_OK, @error is set; it must not be
 * NULL. Simulations may run in several threads.
 */
enum orr_exit orr_simulate(const struct orr_settings *settings,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error);

/* Returns whether a run with this status finished or hangs, so that it has
 * facts. */
static inline bool orr_exit_has_facts(enum orr_exit status)
{
    return status == ORR_EXIT_OK || status == ORR_EXIT_STALLED ||
           status == ORR_EXIT_LIVELOCKED;
}

/*
 * As orr_simulate(), but sets *@run instead of facts; free with
 * orr_run_free(). A run that hangs is returned, too; NULL: it could not begin.
 */
enum orr_exit orr_simulate_run(const struct orr_settings *settings,
                               const char *sched, struct orr_trace *trace,
                               struct orr_run **run, GError **error);

/* Returns the machine of @settings; free with orr_machine_free(). NULL with
 * @error. */
struct orr_machine *orr_simulate_machine(const struct orr_settings *settings,
                                         GError **error);

/*
 * Reads the machine of @settings into settings->machine: later simulations
 * share it. Returns the exit status, with @error unless it is ORR_EXIT_OK.
 */
enum orr_exit orr_simulate_share(struct orr_settings *settings, GError **error);

/* With more tasks, the graph would take too much memory. */
#define ORR_BOUNDS_MAX_TASKS 2000000

/*
 * Computes bounds on the makespan of any policy with the resolved @settings.
 * Returns the exit status, with @error unless it is ORR_EXIT_OK. All bounds are
 * NAN if there are more than ORR_BOUNDS_MAX_TASKS tasks, or if durations are
 * replayed: a record has the duration of a task on one device only.
 */
enum orr_exit orr_simulate_bounds(const struct orr_settings *settings,
                                  struct orr_bounds *bounds, GError **error);

#endif

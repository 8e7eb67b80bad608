/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIMULATE_H
#define ORR_SIMULATE_H

#include "apps/facts/facts.h"
#include "models/bounds/bounds.h"

struct orr_mapping; /* models/import/mapping.h */

/*
 * Simulates a run with the resolved @scenario, but under the policy @sched,
 * with the trace @trace (or NULL).
 *
 * Returns the exit status. If it has facts, *@facts is set (facts.h); free with
 * json_object_unref(). Unless it is ORR_EXIT_OK, @error is set; it must not be
 * NULL. Simulations may run in several threads.
 */
enum orr_exit orr_simulate(const struct orr_scenario *scenario,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error);

/* As orr_simulate(), but sets *@run, too; free with orr_run_free(). NULL: it
 * could not begin. */
enum orr_exit orr_simulate_keep(const struct orr_scenario *scenario,
                                const char *sched, struct orr_trace *trace,
                                JsonObject **facts, struct orr_run **run,
                                GError **error);

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
enum orr_exit orr_simulate_run(const struct orr_scenario *scenario,
                               const char *sched, struct orr_trace *trace,
                               struct orr_run **run, GError **error);

/*
 * Simulates a run with an ideal network: copies take no time
 * (orr_config.instant_copies). Otherwise as orr_simulate_run(). The difference
 * is the cost of communication; the rest of a makespan is due to dependencies
 * and to the runtime (Rosas, Gimenez, Labarta, Scalability prediction for
 * fundamental performance factors, Supercomputing Frontiers and Innovations
 * 1(2), 2014).
 *
 * @mapping: the worker of each task, and the order of the tasks of each worker,
 *           made from an earlier run with this @scenario
 *           (models/import/mapping.h). @sched is then ignored. The makespan is
 * then at most the makespan of the earlier run, up to some us, as drivers act
 * at other dates. Modified during the run, and not referenced afterwards. NULL:
 * @sched decides anew, so that its other decisions are part of the difference.
 *
 * Fails with ORR_EXIT_STALLED if tasks that commute on a datum begin in another
 * order than in the earlier run, so that @mapping cannot be followed.
 */
enum orr_exit orr_simulate_ideal(const struct orr_scenario *scenario,
                                 const char *sched, struct orr_mapping *mapping,
                                 struct orr_run **run, GError **error);

/* Returns the machine of @scenario; free with orr_machine_free(). NULL with
 * @error. */
struct orr_machine *orr_simulate_machine(const struct orr_scenario *scenario,
                                         GError **error);

/*
 * Completes @settings for single runs of the application called @app: its
 * options, the policy if none is given, and the machine, which later
 * simulations share. Prints messages of @command about workers that can run no
 * kernel of the application. Returns the exit status, with @error unless it is
 * ORR_EXIT_OK.
 */
enum orr_exit orr_simulate_prepare(struct orr_settings *settings,
                                   const char *app, const char *command,
                                   GError **error);

/*
 * Reads the machine of @settings into settings->scenario.run.machine: later
 * simulations share it. Returns the exit status, with @error unless it is
 * ORR_EXIT_OK.
 */
enum orr_exit orr_simulate_share(struct orr_settings *settings, GError **error);

/*
 * Records the task graph of the resolved @scenario, and runs no task: sets
 * *@run for orr_run_workload() (runtime/recording.h); free with orr_run_free().
 * NULL if there are more than ORR_BOUNDS_MAX_TASKS tasks, or if durations are
 * replayed: a record has the duration of a task on one device only. Returns the
 * exit status, with @error unless it is ORR_EXIT_OK.
 */
enum orr_exit orr_simulate_graph(const struct orr_scenario *scenario,
                                 struct orr_run **run, GError **error);

/*
 * Computes bounds on the makespan of any policy with the resolved @scenario.
 * Returns the exit status, with @error unless it is ORR_EXIT_OK. All bounds are
 * NAN if orr_simulate_graph() has no graph.
 */
enum orr_exit orr_simulate_bounds(const struct orr_scenario *scenario,
                                  struct orr_bounds *bounds, GError **error);

#endif

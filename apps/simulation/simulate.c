/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Simulations of one run from settings. The policy may need two runs: an
 * eviction policy that knows the future learns it from a first run with LRU
 * eviction.
 */
#include "apps/simulation/simulate.h"

#include <math.h>
#include <string.h>

#include "apps/facts/coverage.h"
#include "apps/settings/policies.h"
#include "apps/settings/protection.h"
#include "models/base/error.h"
#include "models/platform/switches.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "sched/evict/evict_registry.h"

static struct orr_config config_of(const struct orr_scenario *scenario)
{
    struct orr_config config = scenario->config;

    config.machine = scenario->run.machine;
    config.watch = orr_protection_watch();
    return config;
}

/* Lets the application submit its tasks to @run. */
static bool submit(const struct orr_scenario *scenario, struct orr_run *run,
                   GError **error)
{
    return scenario->problem.app->submit(run, scenario->problem.values, error);
}

static enum orr_exit status_of(const GError *error)
{
    if (g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED))
        return ORR_EXIT_STALLED;
    if (g_error_matches(error, ORR_ERROR, ORR_ERROR_LIVELOCKED))
        return ORR_EXIT_LIVELOCKED;
    return ORR_EXIT_FAILURE;
}

struct orr_machine *orr_simulate_machine(const struct orr_scenario *scenario,
                                         GError **error)
{
    struct orr_config config = config_of(scenario);

    return orr_machine_new(&config, error);
}

enum orr_exit orr_simulate_prepare(struct orr_settings *settings,
                                   const char *app, const char *command,
                                   GError **error)
{
    enum orr_exit status;

    if (!orr_settings_choose_tile(settings, app, error) ||
        !orr_settings_resolve(settings, app, error))
        return ORR_EXIT_USAGE;
    if (!settings->scenario.config.sched)
        settings->scenario.config.sched = ORR_DEFAULT_SCHED;
    if (!orr_policies_check(settings->scenario.config.sched, error) ||
        !orr_policies_check_eviction(settings->scenario.config.evict, error))
        return orr_exit_of_name(*error);
    status = orr_simulate_share(settings, error);
    if (status == ORR_EXIT_OK)
        orr_coverage_warn(&settings->scenario, command);
    return status;
}

enum orr_exit orr_simulate_share(struct orr_settings *settings, GError **error)
{
    settings->scenario.run.machine =
        orr_simulate_machine(&settings->scenario, error);
    return settings->scenario.run.machine ? ORR_EXIT_OK
                                          : orr_exit_of_name(*error);
}

/* Simulates a run with @settings and @config, which was derived from them. */
static enum orr_exit simulate(const struct orr_scenario *scenario,
                              const struct orr_config *config,
                              struct orr_run **run, GError **error)
{
    *run = NULL;
    if (!orr_app_check_tasks(scenario->problem.values,
                             orr_window_is_set(&scenario->config.window),
                             error))
        return ORR_EXIT_FAILURE;
    *run = orr_run_new(config, error);
    if (!*run)
        return orr_exit_of_name(*error);
    if (!submit(scenario, *run, error) || !orr_run_wait(*run, error) ||
        !orr_run_end_policy(*run, error))
        return status_of(*error);
    return ORR_EXIT_OK;
}

/* Whether the eviction policy called @name needs the future accesses of data.
 */
static bool needs_future(const char *name)
{
    const struct orr_evict_ops *ops = NULL;

    if (name && orr_evict_is_file(name))
        ops = orr_evict_load(name, NULL);
    else if (name)
        ops = orr_evict_choose(name, NULL);
    return ops && ops->future;
}

/* As simulate(), but after a first run with LRU eviction, which records the
 * accesses that the eviction policy needs to know in advance. */
static enum orr_exit simulate_twice(const struct orr_scenario *scenario,
                                    struct orr_config *config,
                                    struct orr_run **run, GError **error)
{
    struct orr_future *future = orr_future_new();
    struct orr_config first = *config;
    enum orr_exit status;

    config->future = first.future = future;
    first.evict = orr_evict_lru.name;
    first.trace = NULL;
    first.decider = NULL;
    first.progress = NULL;
    status = simulate(scenario, &first, run, error);
    if (status == ORR_EXIT_OK) {
        orr_run_free(*run);
        status = simulate(scenario, config, run, error);
    }
    orr_future_free(future);
    return status;
}

enum orr_exit orr_simulate_run(const struct orr_scenario *scenario,
                               const char *sched, struct orr_trace *trace,
                               struct orr_run **run, GError **error)
{
    struct orr_config config = config_of(scenario);

    config.sched = sched;
    config.trace = trace;
    return needs_future(config.evict)
               ? simulate_twice(scenario, &config, run, error)
               : simulate(scenario, &config, run, error);
}

enum orr_exit orr_simulate_ideal(const struct orr_scenario *scenario,
                                 const char *sched, struct orr_mapping *mapping,
                                 struct orr_run **run, GError **error)
{
    struct orr_config config = config_of(scenario);

    config.sched = sched;
    config.mapping = mapping;
    config.evict = NULL; /* nothing is evicted */
    config.instant_copies = true;
    return simulate(scenario, &config, run, error);
}

enum orr_exit orr_simulate_keep(const struct orr_scenario *scenario,
                                const char *sched, struct orr_trace *trace,
                                JsonObject **facts, struct orr_run **run,
                                GError **error)
{
    gint64 start_us = g_get_monotonic_time();
    enum orr_exit status = orr_simulate_run(scenario, sched, trace, run, error);
    double wall_s = (double)(g_get_monotonic_time() - start_us) / 1e6;

    if (orr_exit_has_facts(status))
        *facts = orr_facts_new(scenario, orr_run_report(*run),
                               orr_run_hang(*run), wall_s);
    return status;
}

enum orr_exit orr_simulate(const struct orr_scenario *scenario,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error)
{
    struct orr_run *run;
    enum orr_exit status =
        orr_simulate_keep(scenario, sched, trace, facts, &run, error);

    orr_run_free(run);
    return status;
}

static bool are_replayed(const struct orr_scenario *scenario)
{
    struct orr_switches switches;

    orr_switches_init(&switches);
    if (scenario->config.models)
        orr_switches_parse(&switches, scenario->config.models, NULL);
    return switches.durations == ORR_DURATIONS_REPLAYED;
}

enum orr_exit orr_simulate_graph(const struct orr_scenario *scenario,
                                 struct orr_run **run, GError **error)
{
    struct orr_config config = config_of(scenario);
    enum orr_exit status = ORR_EXIT_OK;

    *run = NULL;
    if (orr_app_tasks(scenario->problem.values) > ORR_BOUNDS_MAX_TASKS ||
        are_replayed(scenario))
        return ORR_EXIT_OK;
    config.sched = ORR_DEFAULT_SCHED;
    config.evict = NULL;
    *run = orr_run_new(&config, error);
    if (!*run)
        return orr_exit_of_name(*error);
    orr_run_record(*run, ORR_BOUNDS_MAX_TASKS);
    if (!submit(scenario, *run, error))
        status = status_of(*error);
    if (status != ORR_EXIT_OK || orr_recording_is_full(*run))
        g_clear_pointer(run, orr_run_free);
    return status;
}

enum orr_exit orr_simulate_bounds(const struct orr_scenario *scenario,
                                  struct orr_bounds *bounds, GError **error)
{
    struct orr_workload *workload;
    struct orr_supply *supply;
    struct orr_run *run;
    enum orr_exit status = orr_simulate_graph(scenario, &run, error);

    orr_bounds_init(bounds);
    if (!run)
        return status;
    workload = orr_run_workload(run);
    supply = orr_run_supply(run);
    orr_bounds_compute(bounds, workload, supply);
    orr_supply_free(supply);
    orr_workload_free(workload);
    orr_run_free(run);
    return ORR_EXIT_OK;
}

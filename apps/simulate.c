/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/simulate.h"

#include <string.h>

#include "models/error.h"

static struct orr_run *start(const struct orr_settings *settings,
                             const char *sched, struct orr_trace *trace,
                             GError **error)
{
    struct orr_config config;

    orr_config_init(&config);
    config.platform = settings->platform;
    config.sched = sched;
    config.cpus = settings->cpus;
    config.gpus = settings->gpus;
    config.gpu_memory_bytes = settings->gpu_memory_bytes;
    if (settings->changes)
        config.changes = (const char *const *)settings->changes->pdata;
    config.stale_calibration = settings->stale_calibration;
    config.seed = settings->seed;
    config.perturb = settings->perturb;
    config.window = settings->window;
    config.models = settings->models;
    config.record = settings->record;
    config.trace = trace;
    return orr_run_new(&config, error);
}

static enum orr_exit play(const struct orr_settings *settings,
                          struct orr_run *run, GError **error)
{
    struct orr_problem problem = {
        .app = settings->app,
        .run = run,
        .tiles = (unsigned)settings->tiles,
        .tile = (unsigned)settings->tile,
        .precision = settings->precision,
        .layout = settings->layout,
    };

    memcpy(problem.where, settings->where, sizeof(problem.where));
    if (!orr_problem_prepare(&problem, error))
        return ORR_EXIT_FAILURE;
    settings->app->submit(&problem);
    if (orr_run_wait(run, error))
        return ORR_EXIT_OK;
    return g_error_matches(*error, ORR_ERROR, ORR_ERROR_STALLED)
               ? ORR_EXIT_STALLED
               : ORR_EXIT_FAILURE;
}

enum orr_exit orr_simulate(const struct orr_settings *settings,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error)
{
    gint64 start_us = g_get_monotonic_time();
    struct orr_run *run;
    enum orr_exit status;
    double wall_s;

    if (!orr_app_check_tasks(settings->app, settings->tiles, settings->window,
                             error))
        return ORR_EXIT_FAILURE;
    run = start(settings, sched, trace, error);
    if (!run) {
        return g_error_matches(*error, ORR_ERROR, ORR_ERROR_UNKNOWN)
                   ? ORR_EXIT_USAGE
                   : ORR_EXIT_FAILURE;
    }
    status = play(settings, run, error);
    wall_s = (double)(g_get_monotonic_time() - start_us) / 1e6;
    if (status == ORR_EXIT_OK)
        *facts = orr_facts_new(settings, orr_run_report(run), wall_s);
    orr_run_free(run);
    return status;
}

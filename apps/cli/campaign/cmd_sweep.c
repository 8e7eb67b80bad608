/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "apps/cli/campaign/expand.h"
#include "apps/cli/cmd.h"
#include "apps/experiment/optimum.h"
#include "apps/options/values.h"
#include "apps/settings/command.h"
#include "apps/sweep/dry_run.h"
#include "apps/sweep/emit.h"
#include "apps/sweep/sweep.h"
#include "models/base/error.h"
#include "models/base/units.h"

#define MEMBER(name) offsetof(struct orr_settings, name)

static const struct orr_option optimum_options[] = {
    {"optimize", "WHAT", "find the point with the least makespan, or energy",
     .parse = orr_value_text, .member = MEMBER(campaign.optimize),
     .choices = ORR_CHOICES("makespan", "energy"),
     .manual =
         "Finds the point with the least mean `makespan` or `energy`, and "
         "writes no database. Each point begins with two replicas; again and "
         "again the worse half is dropped, and the others get twice as many, "
         "until each other one that is left is worse than the best, or there "
         "are `--replicas`, 64 by default (successive halving: Karnin, Koren, "
         "Somekh, ICML 2013). Replica r of all points has the same seed, so "
         "that effects common to all points cancel out. Prints all points from "
         "the best to the worst, those with more replicas first: the mean, by "
         "how much it is above that of the best over the same replicas, with "
         "an interval of 95 %, and a verdict: worse, or open, if the interval "
         "has 0 or less. Then it says how sure the result is. Each interval is "
         "one of 95 % by itself, not all together, and the first that is good "
         "enough ends the search. `--format csv` and `json` have `point`, the "
         "keys, `replicas`, `makespan_mean_s` or `energy_mean_j`, "
         "`versus_best_percent`, `versus_best_ci95_low_percent`, "
         "`versus_best_ci95_high_percent`, `verdict` (best, worse, open or "
         "failed), and `error` (why it failed, or null)."},
    {"over", "KEY=LIST", "as --vary, of --optimize", .parse = orr_value_texts,
     .member = MEMBER(campaign.over),
     .manual = "As `--vary`, for `--optimize`."},
};

static const struct orr_option_group optimum_group =
    ORR_OPTION_GROUP("Optimisation", optimum_options);

static const struct orr_syntax syntax = {
    "sweep",
    "APP",
    1,
    1,
    "Runs a campaign: the application APP with every combination of the values "
    "of some\nsettings. Results go to a file, which 'orrery results' prints. "
    "The same command\ngoes on where an earlier one was stopped. APP may also "
    "be a campaign file, FILE.ini,\nwhich options override.",
    {&orr_options_application, &orr_options_sweep, &optimum_group,
     &orr_options_machine, &orr_options_policy, &orr_options_runtime,
     &orr_options_plugin, &orr_options_output, NULL},
};

static enum orr_exit fail_usage(GError **error, const char *message)
{
    g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE, message);
    return ORR_EXIT_USAGE;
}

/* Prints how many runs of the campaign have ended. */
static void report(const char *path, const struct orr_sweep_count *count,
                   enum orr_exit status)
{
    if (status == ORR_EXIT_OK)
        printf("%s: %" PRIu64 " of %" PRIu64 " runs, %" PRIu64 " failed\n",
               path, count->ended, count->wanted, count->failed);
    else if (status > ORR_EXIT_SIGNAL)
        orr_message_print(syntax.command,
                          "stopped with %" PRIu64 " of %" PRIu64
                          " runs in %s; the same command goes on",
                          count->ended, count->wanted, path);
    if (count->first_failed)
        orr_message_print(syntax.command, "%s", count->first_failed);
}

/* Runs the missing points of the campaign, and keeps the results in its
 * database. */
static enum orr_exit run_in(const struct orr_sweep *sweep,
                            const struct orr_settings *settings,
                            const GArray *columns, GError **error)
{
    g_autofree char *path =
        orr_shard_path(settings->outputs.output, &sweep->shard);
    struct orr_identity identity;
    struct orr_sweep_count count = {0};
    struct orr_store *store;
    enum orr_exit status = ORR_EXIT_FAILURE;

    orr_point_runner_identify(sweep->points, &identity);
    identity.shard = sweep->shard;
    store = orr_store_open(path, &identity, columns, settings->campaign.restart,
                           error);
    if (store)
        status = orr_sweep_run(sweep, store, &count, error);
    if (!orr_store_close(store, status == ORR_EXIT_FAILURE ? NULL : error))
        status = ORR_EXIT_FAILURE;
    if (store)
        report(path, &count, status);
    g_free(count.first_failed);
    orr_identity_clear(&identity);
    return status;
}

/* Whether --where selects a point. */
static bool check_wanted(const struct orr_campaign *campaign, GError **error)
{
    for (uint64_t point = 0; point < campaign->points; point++) {
        if (orr_campaign_has(campaign, point))
            return true;
    }
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "--where leaves no point of %" PRIu64, campaign->points);
    return false;
}

/* Runs the campaign, or only prints a forecast or a script of its runs. */
static enum orr_exit perform_points(const struct orr_sweep *sweep,
                                    const struct orr_settings *settings,
                                    const GArray *columns, GError **error)
{
    g_autofree char *text = NULL;

    if (settings->campaign.dry_run)
        return orr_dry_run(sweep);
    if (settings->campaign.emit == ORR_EMIT_NONE)
        return run_in(sweep, settings, columns, error);
    text = orr_emit(sweep->campaign, settings);
    fputs(text, stdout);
    return ORR_EXIT_OK;
}

static enum orr_exit perform_campaign(const struct orr_campaign *campaign,
                                      const struct orr_settings *settings,
                                      const struct orr_shard *shard,
                                      GError **error)
{
    struct orr_sweep sweep = {
        .command = syntax.command,
        .campaign = campaign,
        .points = orr_point_runner_new(campaign, error),
        .shard = *shard,
        .threads = (unsigned)settings->exploration.threads,
    };
    GArray *columns = NULL;
    enum orr_exit status = ORR_EXIT_USAGE;

    if (sweep.points && check_wanted(campaign, error))
        columns = orr_columns_new(campaign, orr_point_runner_apps(sweep.points),
                                  error);
    if (columns) {
        status = perform_points(&sweep, settings, columns, error);
        g_array_unref(columns);
    }
    if (status == ORR_EXIT_OK && !orr_point_runner_check(sweep.points, error))
        status = ORR_EXIT_FAILURE;
    orr_point_runner_free(sweep.points);
    return status;
}

/* Returns the error message for options that an optimisation excludes, or
 * NULL. */
static const char *complaint(const struct orr_settings *settings)
{
    if (settings->campaign.vary)
        return "--optimize and --vary exclude each other; see --over";
    if (!settings->campaign.over)
        return "--over KEY=LIST is missing";
    if (settings->outputs.output || settings->campaign.restart)
        return "--optimize writes no database";
    if (settings->campaign.shard || settings->campaign.emit != ORR_EMIT_NONE ||
        settings->campaign.dry_run)
        return "--optimize excludes --shard, --emit and --dry-run";
    if (settings->scenario.problem.list)
        return "a list of values belongs to --over KEY=LIST";
    return NULL;
}

/* Looks for the best point of the campaign. */
static enum orr_exit optimize(const char *app, struct orr_settings *settings,
                              GError **error)
{
    const char *wrong = complaint(settings);
    struct orr_campaign campaign;
    struct orr_optimum_request request = {
        .command = syntax.command,
        .objective = settings->campaign.optimize,
        .campaign = &campaign,
        .threads = (unsigned)settings->exploration.threads,
        .format = settings->format,
    };
    enum orr_exit status = ORR_EXIT_USAGE;

    if (wrong)
        return fail_usage(error, wrong);
    if (settings->scenario.run.replicas == 1)
        settings->scenario.run.replicas = ORR_OPTIMUM_REPLICAS;
    if (orr_campaign_init(&campaign, settings, app, error) &&
        check_wanted(&campaign, error) &&
        (request.points = orr_point_runner_new(&campaign, error)))
        status = orr_optimum_run(&request, error);
    if (status == ORR_EXIT_OK && !orr_point_runner_check(request.points, error))
        status = ORR_EXIT_FAILURE;
    orr_point_runner_free(request.points);
    orr_campaign_clear(&campaign);
    return status;
}

static enum orr_exit perform(const char *app, struct orr_settings *settings,
                             GError **error)
{
    struct orr_shard shard = {0, 1};
    struct orr_campaign campaign;
    enum orr_exit status = ORR_EXIT_USAGE;

    if (settings->campaign.shard &&
        !orr_shard_parse(settings->campaign.shard, &shard, error)) {
        g_prefix_error(error, "--shard: ");
        return ORR_EXIT_USAGE;
    }
    if (settings->campaign.optimize)
        return optimize(app, settings, error);
    if (settings->campaign.over)
        return fail_usage(error, "--over belongs to --optimize");
    if (!settings->outputs.output && !settings->campaign.dry_run)
        return fail_usage(error, "--output FILE.db is missing");
    if (settings->scenario.problem.list)
        return fail_usage(error, "a list of values belongs to --vary KEY=LIST");
    if (orr_campaign_init(&campaign, settings, app, error))
        status = perform_campaign(&campaign, settings, &shard, error);
    orr_campaign_clear(&campaign);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    GPtrArray *words = orr_expand_arguments(argc, argv, texts, &error);
    enum orr_exit status;

    if (!words) {
        orr_message_print(syntax.command, "%s", error->message);
        return ORR_EXIT_FAILURE;
    }
    status = orr_settings_command(&syntax, (int)words->len - 1,
                                  (char **)words->pdata, perform);
    g_ptr_array_unref(words);
    return status;
}

const struct orr_cmd orr_cmd_sweep = {
    .name = "sweep",
    .summary = "run a campaign: many settings, one file",
    .syntax = &syntax,
    .main = command};

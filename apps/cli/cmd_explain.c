/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/explain_scale.h"
#include "apps/cli/single_run.h"
#include "apps/explain/efficiency.h"
#include "apps/explain/explanation.h"
#include "apps/explain/kernel_placement.h"
#include "apps/explain/what_if.h"
#include "apps/output/csv.h"
#include "apps/output/members.h"
#include "apps/output/output.h"
#include "apps/search/replay.h"
#include "apps/settings/command.h"
#include "apps/simulation/simulate.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"

static const struct orr_syntax syntax = {
    "explain",
    "APP",
    1,
    1,
    "Simulates the application APP once and says where the time went: what "
    "each worker\ndid, the path that led to the end, how full links and "
    "memories were, the longest idle\ntimes and their reasons, and what "
    "another machine would bring.",
    {&orr_options_application, &orr_options_kernels, &orr_options_machine,
     &orr_options_policy, &orr_options_runtime, &orr_options_scale,
     &orr_options_plot, &orr_options_traces, &orr_options_gantt,
     &orr_options_report, &orr_options_plugin, &orr_options_output, NULL},
};

struct request {
    const struct orr_settings *settings;
    struct orr_explanation explanation;
    struct orr_repeat repeat; /* if it hangs */
    char *path;               /* for JSON; owned */
};

static bool accept(struct orr_run *run, void *data, GError **error)
{
    struct request *request = data;

    if (orr_run_hang(run))
        return orr_repeat_init(&request->repeat, &request->settings->scenario,
                               run, error);
    orr_explanation_end(&request->explanation, orr_run_report(run),
                        run->platform);
    return true;
}

static void complete(JsonObject *facts, struct orr_run *run, void *data)
{
    struct request *request = data;

    const struct orr_report *report = orr_run_report(run);

    if (request->settings->format == ORR_FORMAT_JSON) {
        request->path =
            orr_explanation_path_json(&request->explanation, report);
        json_object_set_null_member(facts, ORR_EXPLANATION_PATH);
    }
    orr_explanation_add_facts(&request->explanation, report, facts);
    orr_efficiency_add_facts(&request->explanation, report,
                             &request->settings->scenario, facts);
    orr_kernels_add_facts(&request->explanation, run, facts);
    orr_what_if_add_facts(&request->settings->scenario, facts);
}

/* As CSV, a row for each worker. */
static void print(JsonObject *facts, enum orr_format format, void *data)
{
    const struct request *request = data;
    const struct orr_json_part path = {ORR_EXPLANATION_PATH, request->path};

    if (format == ORR_FORMAT_TEXT)
        orr_explanation_print(facts);
    else if (format == ORR_FORMAT_JSON)
        orr_output_object_with(facts, &path);
    else
        orr_csv_print_rows(orr_array_of(facts, "workers"));
}

static enum orr_exit run(const char *app, struct orr_settings *settings,
                         GError **error)
{
    struct request request = {.settings = settings};
    const struct orr_single_run single = {
        .command = syntax.command,
        .settings = settings,
        .observer = &request.explanation.seen.trace,
        .accept = accept,
        .complete = complete,
        .print = print,
        .data = &request,
    };
    enum orr_exit status;

    if (!orr_scale_check(settings, error))
        return ORR_EXIT_USAGE;
    status = orr_simulate_prepare(settings, app, syntax.command, error);
    if (status != ORR_EXIT_OK)
        return status;
    if (settings->outputs.scale)
        return orr_scale_run(syntax.command, settings, error);
    orr_explanation_begin(&request.explanation, false);
    status = orr_single_run_perform(&single, error);
    if (request.repeat.token)
        orr_repeat_print(&request.repeat, syntax.command);
    orr_repeat_clear(&request.repeat);
    orr_explanation_clear(&request.explanation);
    g_free(request.path);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, run);
}

const struct orr_cmd orr_cmd_explain = {.name = "explain",
                                        .summary =
                                            "say where the time of a run goes",
                                        .syntax = &syntax,
                                        .main = command};

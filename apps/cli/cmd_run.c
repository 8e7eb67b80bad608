/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/cli/single_run.h"
#include "apps/search/replay.h"
#include "apps/settings/command.h"
#include "apps/simulation/determinism.h"
#include "apps/simulation/simulate.h"
#include "models/base/file.h"
#include "runtime/diagnosis/hang.h"

static const struct orr_syntax syntax = {
    "run",
    "APP",
    1,
    1,
    "Simulates the application APP once and prints a report. 'orrery app "
    "list'\nlists the applications, 'orrery platform list' the machines and "
    "'orrery sched\nlist' the policies.",
    {&orr_options_application, &orr_options_kernels, &orr_options_machine,
     &orr_options_policy, &orr_options_runtime, &orr_options_checks,
     &orr_options_run, &orr_options_traces, &orr_options_gantt,
     &orr_options_report, &orr_options_plugin, &orr_options_output, NULL},
};

/* A run, and the results beside its report. */
struct request {
    const struct orr_settings *settings;
    struct orr_determinism *twice; /* the first of two runs, or NULL */
    struct orr_repeat repeat;      /* if it hangs, or its token is wanted */
    bool hangs;
};

static bool accept(struct orr_run *run, void *data, GError **error)
{
    struct request *request = data;

    request->hangs = orr_run_hang(run) != NULL;
    if (request->twice && !orr_determinism_check(request->twice, run, error))
        return false;
    if (!request->hangs && !request->settings->outputs.token)
        return true;
    return orr_repeat_init(&request->repeat, &request->settings->scenario, run,
                           error);
}

static enum orr_exit perform(struct request *request, GError **error)
{
    const struct orr_settings *settings = request->settings;
    const struct orr_single_run single = {
        .command = syntax.command,
        .settings = settings,
        .observer =
            request->twice ? orr_determinism_observer(request->twice) : NULL,
        .accept = accept,
        .data = request,
    };
    enum orr_exit status = orr_single_run_perform(&single, error);
    g_autofree char *line = NULL;

    if (!request->repeat.token)
        return status;
    if (request->hangs)
        orr_repeat_print(&request->repeat, syntax.command);
    line = g_strconcat(request->repeat.token, "\n", NULL);
    if (settings->outputs.token &&
        !orr_file_replace(settings->outputs.token, line, strlen(line), error))
        return ORR_EXIT_FAILURE;
    return status;
}

static enum orr_exit perform_twice(struct request *request, GError **error)
{
    struct orr_determinism twice;
    enum orr_exit status =
        orr_determinism_begin(&twice, &request->settings->scenario, error);

    request->twice = &twice;
    if (status == ORR_EXIT_OK)
        status = perform(request, error);
    request->twice = NULL;
    orr_determinism_clear(&twice);
    return status;
}

static enum orr_exit run(const char *app, struct orr_settings *settings,
                         GError **error)
{
    struct request request = {.settings = settings};
    enum orr_exit status;

    if (settings->outputs.token &&
        !orr_file_check(settings->outputs.token, error))
        return ORR_EXIT_FAILURE;
    status = orr_simulate_prepare(settings, app, syntax.command, error);
    if (status != ORR_EXIT_OK)
        return status;
    status = settings->outputs.twice ? perform_twice(&request, error)
                                     : perform(&request, error);
    orr_repeat_clear(&request.repeat);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, run);
}

const struct orr_cmd orr_cmd_run = {.name = "run",
                                    .summary = "simulate an application once",
                                    .syntax = &syntax,
                                    .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/search/token.h"
#include "apps/settings/command.h"
#include "apps/study/determinism.h"
#include "apps/study/simulate.h"
#include "apps/study/single.h"
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
    {&orr_options_application, &orr_options_machine, &orr_options_runtime,
     &orr_options_run, &orr_options_traces, &orr_options_gantt,
     &orr_options_report, &orr_options_plugin, &orr_options_output, NULL},
};

/* A run, and the results beside its report. */
struct request {
    const struct orr_settings *settings;
    struct orr_determinism *twice; /* the first of two runs, or NULL */
    char *token;                   /* of the run; NULL until made; owned */
    char *token_files;             /* orr_token_files_text(); owned */
    bool hangs;
};

/* Makes the token of @run, which holds its kind of hang. */
static bool make_token(struct request *request, struct orr_run *run,
                       GError **error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_token token;
    bool made;

    made = orr_token_init(&token, request->settings, request->settings->sched,
                          error);
    if (made) {
        g_free(token.hang);
        token.hang = g_strdup(hang ? orr_hang_kind_name(hang->kind) : "");
        token.digest = orr_run_report(run)->digest;
        request->token = orr_token_format(&token);
        request->token_files = orr_token_files_text(&token);
    }
    orr_token_clear(&token);
    return made;
}

static bool accept(struct orr_run *run, void *data, GError **error)
{
    struct request *request = data;

    request->hangs = orr_run_hang(run) != NULL;
    if (request->twice && !orr_determinism_check(request->twice, run, error))
        return false;
    if (!request->hangs && !request->settings->token)
        return true;
    return make_token(request, run, error);
}

static enum orr_exit perform(struct request *request, GError **error)
{
    const struct orr_settings *settings = request->settings;
    const struct orr_single single = {
        .command = syntax.command,
        .settings = settings,
        .observer =
            request->twice ? orr_determinism_observer(request->twice) : NULL,
        .accept = accept,
        .data = request,
    };
    enum orr_exit status = orr_single_run(&single, error);
    g_autofree char *line = NULL;

    if (!request->token)
        return status;
    if (request->hangs)
        orr_message_print(syntax.command,
                          "to repeat this run: orrery replay %s%s",
                          request->token, request->token_files);
    line = g_strconcat(request->token, "\n", NULL);
    if (settings->token &&
        !orr_file_replace(settings->token, line, strlen(line), error))
        return ORR_EXIT_FAILURE;
    return status;
}

static enum orr_exit perform_twice(struct request *request, GError **error)
{
    struct orr_determinism twice;
    enum orr_exit status =
        orr_determinism_begin(&twice, request->settings, error);

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

    if (settings->token && !orr_file_check(settings->token, error))
        return ORR_EXIT_FAILURE;
    status = orr_simulate_prepare(settings, app, syntax.command, error);
    if (status != ORR_EXIT_OK)
        return status;
    status = settings->twice ? perform_twice(&request, error)
                             : perform(&request, error);
    g_free(request.token);
    g_free(request.token_files);
    return status;
}

enum orr_exit orr_cmd_run(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, run);
}

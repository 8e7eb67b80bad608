/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/cli/cmd.h"
#include "apps/cli/single_run.h"
#include "apps/search/debugger.h"
#include "apps/search/replay.h"
#include "apps/settings/command.h"

static const struct orr_syntax syntax = {
    "replay",
    "TOKEN|@FILE|-",
    1,
    1,
    "Repeats the run that made TOKEN, byte for byte, and prints the report of "
    "'orrery\nrun'. @FILE reads the token from a file, - from standard input. "
    "Fails if the\nversion of orrery, the platform, the policy or the record "
    "has changed. A token\ncontains no files: give those that it was made with "
    "again.",
    {&orr_options_replay, &orr_options_traces, &orr_options_token_files,
     &orr_options_plugin, &orr_options_output, NULL},
};

static bool accept(struct orr_run *run, void *data, GError **error)
{
    return orr_replay_check(data, run, error);
}

/* Returns whether a strategy decided in the run of @token. Otherwise it is an
 * ordinary run, which may be in lock-step
 * (runtime/lockstep/interleaving.h). */
static bool was_decided(const struct orr_token *token)
{
    return *token->strategy || token->decisions->len > 0;
}

static enum orr_exit replay_token(const struct orr_token *token,
                                  struct orr_settings *settings, GError **error)
{
    struct orr_replay replay;
    struct orr_single_run single = {
        .command = syntax.command,
        .settings = settings,
        .accept = accept,
        .data = &replay,
    };
    enum orr_exit status;

    orr_replay_init(&replay, token);
    if (was_decided(token))
        settings->scenario.config.decider = &replay.decider;
    status = orr_single_run_perform(&single, error);
    orr_replay_clear(&replay);
    return status;
}

static enum orr_exit replay(const char *operand, struct orr_settings *settings,
                            GError **error)
{
    struct orr_token token;
    enum orr_exit status = orr_token_load(&token, operand, error);

    if (status == ORR_EXIT_OK)
        status = orr_token_prepare(&token, settings, error);
    if (status == ORR_EXIT_OK && settings->outputs.gdb) {
        orr_debugger_exec(&token, &settings->scenario, error);
        status = ORR_EXIT_FAILURE;
    } else if (status == ORR_EXIT_OK) {
        status = replay_token(&token, settings, error);
    }
    orr_token_clear(&token);
    return status;
}

static enum orr_exit command(int argc, char **argv)
{
    return orr_settings_command(&syntax, argc, argv, replay);
}

const struct orr_cmd orr_cmd_replay = {.name = "replay",
                                       .summary = "repeat a run from its token",
                                       .syntax = &syntax,
                                       .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/picture/child.h"
#include "apps/search/critical_decision.h"
#include "apps/search/replay.h"
#include "apps/search/shrink.h"
#include "apps/simulation/simulate.h"
#include "models/base/error.h"

/* Sets token->critical to the decision before which gdb stops. */
static bool choose_stop(struct orr_token *token, GError **error)
{
    struct orr_token_runs runs = {0};
    struct orr_critical_decision critical;

    if (token->critical > 0)
        return true;
    orr_critical_decision_find(&critical, &runs, token, ORR_SHRINK_BUDGET);
    orr_token_runs_clear(&runs);
    if (critical.decisions == 0) {
        g_set_error_literal(
            error, ORR_ERROR, ORR_ERROR_VALUE,
            "the run makes no decision before which --gdb could stop");
        return false;
    }
    if (!critical.found)
        orr_message_print("replay",
                          "no decision is critical: stopping before the last");
    token->critical =
        critical.found ? critical.position + 1 : critical.decisions;
    return true;
}

/* Adds the arguments with which gdb executes @command when it starts. */
static void add_command(GPtrArray *argv, const char *command)
{
    g_ptr_array_add(argv, g_strdup("-ex"));
    g_ptr_array_add(argv, g_strdup(command));
}

/* Returns whether the critical decision of @token is made in a call of a
 * plug-in. */
static bool is_in_policy(const struct orr_token *token,
                         const struct orr_scenario *scenario)
{
    struct orr_scenario again = *scenario;
    struct orr_replay replay;
    struct orr_run *run = NULL;
    g_autoptr(GError) error = NULL;

    orr_replay_init(&replay, token);
    again.config.decider = &replay.decider;
    orr_simulate_run(&again, again.config.sched, NULL, &run, &error);
    orr_run_free(run);
    orr_replay_clear(&replay);
    return replay.in_policy;
}

/* Runs to the decision, and prints the commands that are useful there. The
 * functions of a plug-in are called by orr_guard_invoke() (policy_guard.c). */
static void add_commands(GPtrArray *argv, bool in_policy)
{
    add_command(argv, "break orr_replay_stop");
    add_command(argv, "run");
    if (in_policy) {
        add_command(argv, "frame function orr_guard_invoke");
        add_command(argv, "down");
    }
    add_command(argv, "echo "
                      "The critical decision comes next. Type:\\n"
                      "  backtrace   the calls that lead to it\\n"
                      "  up, down    to the caller, to the function called\\n"
                      "  finish      run to the end of this function\\n"
                      "  next        run to the next line\\n"
                      "  continue    run to the end\\n");
}

/* Replaces the process by gdb, which has @program replay @token. */
static void exec_gdb(const char *program, const struct orr_token *token,
                     bool in_policy, GError **error)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(argv, g_strdup("gdb"));
    g_ptr_array_add(argv, g_strdup("-q"));
    add_commands(argv, in_policy);
    g_ptr_array_add(argv, g_strdup("--args"));
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup("replay"));
    g_ptr_array_add(argv, orr_token_format(token));
    orr_token_list_files(token, argv);
    g_ptr_array_add(argv, g_strdup("--plugin-timeout=0"));
    g_ptr_array_add(argv, NULL);
    fflush(stdout);
    signal(SIGPIPE,
           SIG_DFL); /* main() ignores it, and gdb would inherit that */
    execvp("gdb", (char *const *)argv->pdata);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "gdb: %s", g_strerror(errno));
}

void orr_debugger_exec(const struct orr_token *token,
                       const struct orr_scenario *scenario, GError **error)
{
    static const char *const argv[] = {"gdb", NULL};
    static const struct orr_child gdb = {.argv = argv, .package = "gdb"};
    g_autofree char *program = g_file_read_link("/proc/self/exe", error);
    struct orr_token stopping;

    if (!program || !orr_child_check(&gdb, error))
        return;
    orr_token_copy(&stopping, token);
    if (choose_stop(&stopping, error))
        exec_gdb(program, &stopping, is_in_policy(&stopping, scenario), error);
    orr_token_clear(&stopping);
}

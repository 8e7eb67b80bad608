/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/output/child.h"
#include "apps/search/critical_decision.h"
#include "apps/search/shrink.h"
#include "models/base/error.h"

/* Sets token->critical to the decision to stop before. */
static bool choose_stop(struct orr_token *token, GError **error)
{
    struct orr_trials trials = {0};
    struct orr_critical_decision critical;

    if (token->critical > 0)
        return true;
    orr_critical_decision_find(&critical, &trials, token, ORR_SHRINK_BUDGET);
    orr_trials_clear(&trials);
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

/* Replaces the process by gdb, which has @program replay @token. */
static void exec_gdb(const char *program, const struct orr_token *token,
                     GError **error)
{
    static const char *const begin[] = {
        "gdb", "-q", "-ex", "break orr_replay_stop", "-ex", "run", "--args"};
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

    for (size_t i = 0; i < G_N_ELEMENTS(begin); i++)
        g_ptr_array_add(argv, g_strdup(begin[i]));
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup("replay"));
    g_ptr_array_add(argv, orr_token_format(token));
    orr_token_list_files(token, argv);
    g_ptr_array_add(argv, g_strdup("--policy-timeout=0"));
    g_ptr_array_add(argv, NULL);
    fflush(stdout);
    signal(SIGPIPE, SIG_DFL); /* gdb would inherit that main() ignores it */
    execvp(begin[0], (char *const *)argv->pdata);
    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "gdb: %s", g_strerror(errno));
}

void orr_debugger_exec(const struct orr_token *token, GError **error)
{
    static const char *const argv[] = {"gdb", NULL};
    static const struct orr_child gdb = {.argv = argv, .package = "gdb"};
    g_autofree char *program = g_file_read_link("/proc/self/exe", error);
    struct orr_token stopping;

    if (!program || !orr_child_check(&gdb, error))
        return;
    orr_token_copy(&stopping, token);
    if (choose_stop(&stopping, error))
        exec_gdb(program, &stopping, error);
    orr_token_clear(&stopping);
}

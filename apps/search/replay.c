/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/replay.h"

#include <string.h>

#include "apps/output/message.h"
#include "apps/token/token.h"
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"
#include "sched/guard/guard.h"

ORR_API __attribute__((noinline)) void
orr_replay_stop(const struct orr_decision *decision)
{
    /* The compiler must not remove the call. */
    __asm__ volatile("" : : "r"(decision) : "memory");
}

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_replay *replay = (struct orr_replay *)decider;

    if (replay->log->asked + 1 == replay->token->critical) {
        replay->in_policy = orr_guard_is_in_call();
        orr_replay_stop(decision);
    }
    return replay->log->decider.decide(&replay->log->decider, decision);
}

void orr_replay_init(struct orr_replay *replay, const struct orr_token *token)
{
    const GArray *decisions = token->decisions;

    replay->decider = (struct orr_decider){.decide = decide};
    replay->token = token;
    replay->in_policy = false;
    replay->log = orr_decision_log_new(
        (const struct orr_deviation *)(void *)decisions->data, decisions->len,
        NULL);
}

void orr_replay_clear(struct orr_replay *replay)
{
    g_clear_pointer(&replay->log, orr_decision_log_free);
}

/* Checks that the run had each decision of the token, with enough options. */
static bool check_log(const struct orr_decision_log *log, GError **error)
{
    const struct orr_deviation *misfit = &log->misfit;
    size_t left = orr_decision_log_left(log);

    if (!log->fits) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "decision %" G_GUINT64_FORMAT
                    " of the token is not possible: it takes option %u, but "
                    "there are %u options (%s)",
                    misfit->position, misfit->option, misfit->count,
                    orr_decision_name(misfit->kind));
        return false;
    }
    if (left > 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the run ended after %" G_GUINT64_FORMAT
                    " decisions, but the token has %" G_GSIZE_FORMAT " more",
                    log->asked, left);
        return false;
    }
    return true;
}

static const char *text_of(const char *hang)
{
    return *hang ? hang : "finishes";
}

bool orr_replay_check(const struct orr_replay *replay, struct orr_run *run,
                      GError **error)
{
    const struct orr_token *token = replay->token;
    const struct orr_hang *hang = orr_run_hang(run);
    const char *kind = hang ? orr_hang_kind_name(hang->kind) : "";

    if (!check_log(replay->log, error))
        return false;
    if (strcmp(kind, token->hang) != 0) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "the run of the token %s%s, this one %s%s",
                    *token->hang ? "hangs: " : "", text_of(token->hang),
                    *kind ? "hangs: " : "", text_of(kind));
        return false;
    }
    if (token->digest != 0 && orr_run_report(run)->digest != token->digest) {
        g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                    "this run differs from the run of the token, although all "
                    "decisions are the same: is policy %s deterministic? See "
                    "'orrery run --twice'",
                    orr_run_report(run)->sched);
        return false;
    }
    return true;
}

bool orr_repeat_init(struct orr_repeat *repeat,
                     const struct orr_scenario *scenario, struct orr_run *run,
                     GError **error)
{
    const struct orr_hang *hang = orr_run_hang(run);
    struct orr_token token;
    bool made = orr_token_init(&token, scenario, scenario->config.sched, error);

    if (made) {
        g_free(token.hang);
        token.hang = g_strdup(hang ? orr_hang_kind_name(hang->kind) : "");
        token.digest = orr_run_report(run)->digest;
        repeat->token = orr_token_format(&token);
        repeat->files = orr_token_files_text(&token);
    }
    orr_token_clear(&token);
    return made;
}

void orr_repeat_clear(struct orr_repeat *repeat)
{
    g_free(repeat->token);
    g_free(repeat->files);
}

void orr_repeat_print(const struct orr_repeat *repeat, const char *command)
{
    orr_message_print(command, "to repeat this run: orrery replay %s%s",
                      repeat->token, repeat->files);
}

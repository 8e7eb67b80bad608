/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/search/critical_decision.h"

/* Changes @token: decision @position takes @option, later ones the default. */
static void change_decision(struct orr_token *token, uint64_t position,
                            unsigned option)
{
    GArray *decisions = token->decisions;
    struct orr_deviation deviation = {.position = position, .option = option};
    guint before = 0;

    while (before < decisions->len &&
           g_array_index(decisions, struct orr_deviation, before).position <
               position)
        before++;
    g_array_set_size(decisions, before);
    if (option > 0)
        g_array_append_val(decisions, deviation);
}

/* Sets critical->what from @token, whose run finishes. */
static void describe(struct orr_critical_decision *critical,
                     struct orr_token_runs *runs, const struct orr_token *token)
{
    struct orr_outcome outcome;

    orr_token_run(runs, token, NULL, true, &outcome);
    if (critical->position < outcome.points->len)
        critical->what =
            g_strdup(g_array_index(outcome.points, struct orr_decision_point,
                                   critical->position)
                         .what);
    orr_outcome_clear(&outcome);
}

/* Whether the run finishes with @option; sets critical->what then. */
static bool finishes(struct orr_critical_decision *critical,
                     struct orr_token_runs *runs, const struct orr_token *token,
                     unsigned option)
{
    struct orr_token other;
    struct orr_outcome outcome;
    bool saved;

    orr_token_copy(&other, token);
    change_decision(&other, critical->position, option);
    orr_token_run(runs, &other, NULL, false, &outcome);
    saved = outcome.hang && !*outcome.hang;
    orr_outcome_clear(&outcome);
    if (saved)
        describe(critical, runs, &other);
    orr_token_clear(&other);
    return saved;
}

/* Returns whether the run finishes with another option at critical->point. */
static bool try_point(struct orr_critical_decision *critical,
                      struct orr_token_runs *runs,
                      const struct orr_token *token, uint64_t limit)
{
    const struct orr_decision_point *point = &critical->point;

    for (unsigned option = 0; option < point->count; option++) {
        if (option == point->option)
            continue;
        if (runs->count >= limit) {
            critical->complete = false;
            return false;
        }
        critical->other = option;
        if (finishes(critical, runs, token, option))
            return true;
    }
    return false;
}

void orr_critical_decision_find(struct orr_critical_decision *critical,
                                struct orr_token_runs *runs,
                                const struct orr_token *token, uint64_t limit)
{
    struct orr_outcome outcome;

    orr_token_run(runs, token, NULL, true, &outcome);
    *critical = (struct orr_critical_decision){
        .complete = true,
        .decisions = outcome.points->len,
        .points = g_array_ref(outcome.points),
    };
    if (outcome.error_trace)
        critical->error_trace = g_array_ref(outcome.error_trace);
    for (guint i = outcome.points->len;
         i-- > 0 && !critical->found && critical->complete;) {
        critical->position = i;
        critical->point =
            g_array_index(outcome.points, struct orr_decision_point, i);
        critical->found = try_point(critical, runs, token, limit);
    }
    orr_outcome_clear(&outcome);
}

void orr_critical_decision_clear(struct orr_critical_decision *critical)
{
    g_clear_pointer(&critical->points, g_array_unref);
    g_clear_pointer(&critical->error_trace, g_array_unref);
    g_clear_pointer(&critical->what, g_free);
}

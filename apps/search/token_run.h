/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_RUN_H
#define ORR_TOKEN_RUN_H

#include "apps/search/error_trace.h"
#include "apps/token/token.h"

/*
 * Runs tokens, one after the other, and reports only how each run ends.
 * shrink.h and critical_decision.h test changed tokens this way.
 */
struct orr_token_runs {
    uint64_t count; /* runs so far */

    /* Private: the machine of the last run, and its options. Most runs use the
     * same machine. */
    struct orr_machine *machine;
    char *machine_options;
};

struct orr_outcome {
    const char *hang; /* kind of hang, or "policy" if the policy misused the
                         runtime; "": the run finished; NULL: it could not
                         begin */
    char *why;        /* the error message, unless the run finished */
    uint64_t digest;
    uint64_t tasks; /* tasks submitted, including tasks left out */
    unsigned cpus, gpus;
    uint64_t asked;    /* number of decisions */
    GArray *decisions; /* struct orr_deviation: decisions that were not the
                          default */
    GArray *points;    /* struct orr_decision_point: all decisions, or NULL */
    GArray
        *error_trace; /* struct orr_error_trace_line (error_trace.h), or NULL */
};

/* Zero-initialise @runs before its first use. */
void orr_token_runs_clear(struct orr_token_runs *runs);

/*
 * Runs @token, whose inputs have been checked. @other takes the decisions that
 * the token does not have (NULL: the defaults). With @points, stores all
 * decisions and the error trace in @outcome. @outcome need not be initialised
 * and must be cleared.
 */
void orr_token_run(struct orr_token_runs *runs, const struct orr_token *token,
                   struct orr_decider *other, bool points,
                   struct orr_outcome *outcome);
void orr_outcome_clear(struct orr_outcome *outcome);

#endif

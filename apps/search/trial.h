/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRIAL_H
#define ORR_TRIAL_H

#include "apps/search/story.h"
#include "apps/token/token.h"

/*
 * Trial runs of tokens, one after the other, which report only how the run
 * ends. shrink.h and critical_decision.h use them to test changed tokens.
 */
struct orr_trials {
    uint64_t count; /* runs so far */

    /* Private: the machine of the last run, and its options. Most trials use
       the same machine. */
    struct orr_machine *machine;
    char *machine_options;
};

struct orr_outcome {
    const char *hang; /* kind of hang, or "policy" if the policy misused the
                         runtime; "": the run finished; NULL: it could not
                         begin */
    char *why;        /* the error message, unless the run finished */
    uint64_t digest;
    uint64_t tasks; /* submitted, with those left out */
    unsigned cpus, gpus;
    uint64_t asked;    /* number of decisions */
    GArray *decisions; /* struct orr_deviation: decisions that were not the
                          default */
    GArray *points;    /* struct orr_decision_point: all decisions, or NULL */
    GArray *story;     /* struct orr_story_line (story.h), or NULL */
};

/* Zero-initialise @trials before its first use. */
void orr_trials_clear(struct orr_trials *trials);

/*
 * Runs @token, whose inputs have been checked. @other takes the decisions that
 * the token does not hold (NULL: the defaults). With @points, all decisions are
 * stored in @outcome, and the story of the run. @outcome need not be
 * initialised and must be cleared.
 */
void orr_trial_run(struct orr_trials *trials, const struct orr_token *token,
                   struct orr_decider *other, bool points,
                   struct orr_outcome *outcome);
void orr_outcome_clear(struct orr_outcome *outcome);

#endif

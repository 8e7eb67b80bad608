/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRIAL_H
#define ORR_TRIAL_H

#include "apps/search/token.h"

/*
 * Runs of tokens one after the other, of which only the outcome counts: does
 * it hang, and how? For those who look for another token.
 */
struct orr_trials {
    uint64_t count; /* of runs so far */

    /* Private: the machine that was read last, and the options that asked for
       it. Most trials have it in common. */
    struct orr_machine *machine;
    char *machine_options;
};

/* A point where the simulator asked what to do. */
struct orr_point {
    enum orr_decision_kind kind;
    unsigned count;  /* of options */
    unsigned option; /* that was taken */
};

struct orr_outcome {
    const char *hang; /* its kind, or "policy" if that was misused; "": the run
                         finished; NULL: it could not begin */
    char *why;        /* in a line, unless it finished */
    uint64_t digest;
    unsigned cpus, gpus;
    uint64_t asked;    /* decisions */
    GArray *decisions; /* struct orr_deviation: those that were not the default,
                          whoever took them */
    GArray *points; /* struct orr_point: all decisions; NULL: not asked for */
};

/* @trials: zero-initialised before. */
void orr_trials_clear(struct orr_trials *trials);

/*
 * Runs @token, whose inputs have been checked. What its decisions do not say,
 * @other decides (NULL: the defaults). With @points, every decision is noted.
 *
 * @outcome need not be initialised, and is to be cleared.
 */
void orr_trial_run(struct orr_trials *trials, const struct orr_token *token,
                   struct orr_decider *other, bool points,
                   struct orr_outcome *outcome);
void orr_outcome_clear(struct orr_outcome *outcome);

#endif

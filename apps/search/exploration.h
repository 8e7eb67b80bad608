/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLORATION_H
#define ORR_EXPLORATION_H

#include <json-glib/json-glib.h>

#include "apps/search/finding.h"

/*
 * One application under one policy, run over many schedules, to find those
 * that do not finish.
 *
 * Wherever the simulator may choose among equals (decision.h), a strategy
 * chooses. Schedules are numbered from 1: the first is the one that `run`
 * simulates, and which strategy makes what of number n depends on n and the
 * seed alone. So the same request finds the same, on however many cores; only
 * how far it gets in a given time is a matter of speed.
 *
 * In a portfolio, dfs.h has a tenth of the budget to go through all schedules,
 * which for a small case proves something; then those of strategy.h take turns.
 */

/* What one strategy did. */
struct orr_exploration_part {
    const char *strategy;
    uint64_t schedules;
    uint64_t hangs; /* how many of them did not finish */
    char *claim;    /* what that says of schedules not seen: a sentence
                       without a full stop; NULL: nothing */
};

struct orr_exploration {
    /* What is asked for. */
    const struct orr_settings *settings; /* resolved, with a machine and a
                                            policy; borrowed */
    const char *command;                 /* that messages come from */

    /* What was found. */
    JsonObject *facts;   /* of the first schedule; see facts.h */
    uint64_t schedules;  /* that were run */
    uint64_t distinct;   /* of them: which task ran where in which order, which
                            copies were made */
    GPtrArray *findings; /* struct orr_finding, by number */
    GArray *parts;       /* struct orr_exploration_part, those with schedules */
    bool exhausted;      /* these are all that there are */
    double wall_s;
};

/*
 * Explores what @settings, all of which are borrowed, say. Call
 * orr_exploration_clear() whatever is returned: the exit status that suits if
 * it could not be done, with @error; ORR_EXIT_OK if it could, whatever was
 * found; that of a signal (parallel.h) if one ended it early.
 */
enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error);
void orr_exploration_clear(struct orr_exploration *exploration);

/*
 * Sums up the results of the schedules before number @end into @exploration.
 * For orr_exploration_perform().
 *
 * @batches: struct orr_batch (batch.h), which are sorted. Returns
 * ORR_EXIT_OK or, if the schedule after those of a batch could not be run, the
 * exit status of that failure, with @error.
 */
enum orr_exit orr_exploration_sum(struct orr_exploration *exploration,
                                  GPtrArray *batches, uint64_t end,
                                  GError **error);

/* What there is to say of it, to be freed with json_object_unref(); NULL with
 * @error if an input can no longer be read. */
JsonObject *orr_exploration_facts(const struct orr_exploration *exploration,
                                  GError **error);

/* The same for people. */
void orr_exploration_print(JsonObject *facts);

#endif

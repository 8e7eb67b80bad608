/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLORATION_H
#define ORR_EXPLORATION_H

#include <json-glib/json-glib.h>

#include "apps/search/failure.h"
#include "apps/search/interleavings.h"
#include "runtime/explore/dfs.h"
#include "runtime/explore/strategy.h"

struct orr_resume;

/*
 * An exploration runs one application under one policy with many schedules, to
 * find schedules that do not finish.
 *
 * Where the simulator may choose among equal options (decision.h), a strategy
 * decides. Schedules are numbered from 1. Number 1 is the default schedule, the
 * one of `orrery run`; any other depends on its number and the seed alone. So
 * the same request has the same failures on any number of cores; only the
 * number of schedules that a time budget allows depends on the speed.
 *
 * A portfolio (portfolio.h) shares the budget between the strategies of
 * strategy.h and an exhaustive search (dfs.h), which can prove that a small
 * case has no deadlock. A strategy that finds no distinct schedules gets no
 * more of the budget.
 */

/* The results of one strategy. */
struct orr_exploration_part {
    const char *strategy;
    uint64_t schedules;
    uint64_t distinct; /* schedules that differ from all earlier ones of any
                          strategy */
    uint64_t hangs;    /* schedules that did not finish */
    char *claim; /* a claim about schedules that were not run, which follows
                    from the results; a sentence without a full stop; owned;
                    NULL: none */
    double bounds[ORR_STRATEGY_BOUNDS]; /* the numbers of the claim */
    unsigned bound_count;
};

struct orr_exploration {
    /* The request. */
    /* resolved, with a machine and a policy; borrowed */
    const struct orr_scenario *scenario;
    const struct orr_exploration_settings *settings; /* borrowed */
    const char *command;                             /* for messages */
    struct orr_resume
        *resume; /* file from which to resume and to which to save the position
                    (resume.h), which expects @name; borrowed; NULL: none */
    const char *name; /* name of this exploration in @resume; borrowed */

    /* The results. */
    JsonObject *facts;   /* facts of the first schedule (facts.h) */
    uint64_t schedules;  /* number of schedules that were run */
    uint64_t distinct;   /* schedules that differ in the order or place of tasks
                            or in their copies */
    GPtrArray *failures; /* struct orr_failure, by number */
    GArray *parts;       /* struct orr_exploration_part; without empty ones */
    GHashTable *orders;  /* of the distinct schedules (struct orr_report), */
    GArray
        *order_list; /* the same orders (uint64_t), by number of the schedule */
    struct orr_interleavings
        *interleavings; /* seen in all schedules of a concurrent policy */
    char *difference;   /* between two runs of the first schedule, a sentence
                           without a full stop: the policy is not
                           deterministic; NULL: there is none; owned */
    bool exhausted;     /* all schedules were run */
    double wall_s;
};

/* Frees the results; allowed if all of them are 0. */
void orr_exploration_clear(struct orr_exploration *exploration);

/*
 * Adds the results of the schedules before number @end to @exploration. Public
 * for its unit test.
 *
 * @batches: struct orr_batch (batch.h), sorted, none of them added before.
 * Returns ORR_EXIT_OK or, if a batch ended because its next schedule could not
 * be run, the exit status of that failure, with @error.
 */
enum orr_exit orr_exploration_sum(struct orr_exploration *exploration,
                                  GPtrArray *batches, uint64_t end,
                                  GError **error);

/* Returns the facts of @exploration; free with json_object_unref(). Returns
 * NULL with @error if an input cannot be read any more. */
JsonObject *orr_exploration_facts(const struct orr_exploration *exploration,
                                  GError **error);

/* Prints @facts as text; @timing: with the real time of the exploration. */
void orr_exploration_print(JsonObject *facts, bool timing);

/* Prints the failures of @facts alone. */
void orr_exploration_print_failures(JsonObject *facts);

/*
 * Explores schedules and sets the results. Returns ORR_EXIT_OK, whatever was
 * found; the status of a signal (parallel.h) that stopped the exploration; or,
 * on failure, another exit status, with @error. Call orr_exploration_clear() in
 * any case.
 */
enum orr_exit orr_exploration_perform(struct orr_exploration *exploration,
                                      GError **error);

#endif

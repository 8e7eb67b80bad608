/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STRATEGY_H
#define ORR_STRATEGY_H

#include "runtime/engine/decision.h"

/*
 * Strategies to choose schedules, in search of one that hangs. Decisions depend
 * only on a seed and the number of the schedule, so schedules can be run in any
 * order and by any thread.
 */
enum orr_strategy_kind {
    ORR_STRATEGY_RANDOM, /* all options are equally likely */
    ORR_STRATEGY_PCT,    /* workers have random priorities, which change at a
                            few random points: Burckhardt, Kothari, Musuvathi,
                            Nagarakatte, A randomized scheduler with
                            probabilistic guarantees of finding bugs, ASPLOS
                            2010 */
    ORR_STRATEGY_STARVE, /* one worker comes last wherever possible */
    ORR_STRATEGY_DELAY,  /* the default except at a few random points */
    ORR_STRATEGIES
};

/* "random", "pct", "starve", "delay". */
const char *orr_strategy_name(enum orr_strategy_kind kind);

/* The run that is explored. */
struct orr_strategy_scope {
    uint64_t seed;
    unsigned workers;
    uint64_t decisions; /* approximate number in a run */
};

struct orr_strategy;

/* Copies @scope. Free with orr_strategy_free(); NULL is allowed there. */
struct orr_strategy *orr_strategy_new(enum orr_strategy_kind kind,
                                      const struct orr_strategy_scope *scope);
void orr_strategy_free(struct orr_strategy *strategy);

/* The decider of schedule @number; borrowed until the next call. */
struct orr_decider *orr_strategy_begin(struct orr_strategy *strategy,
                                       uint64_t number);

/* The statement that holds after @schedules schedules without a hang: a
 * sentence without a full stop, to be freed with g_free(); NULL: none. */
char *orr_strategy_claim(enum orr_strategy_kind kind,
                         const struct orr_strategy_scope *scope,
                         uint64_t schedules);

/*
 * The numbers in this statement. random: the share of its schedules that hang
 * is below @bounds[0], with 95 % confidence. pct: a given hang that needs d
 * constraints would have been found with the probability @bounds[d - 1] or
 * more. Returns how many bounds are set.
 */
enum { ORR_STRATEGY_BOUNDS = 4 };
unsigned orr_strategy_bounds(enum orr_strategy_kind kind,
                             const struct orr_strategy_scope *scope,
                             uint64_t schedules,
                             double bounds[ORR_STRATEGY_BOUNDS]);

#endif

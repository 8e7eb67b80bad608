/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STRATEGY_H
#define ORR_STRATEGY_H

#include "runtime/engine/decision.h"

/*
 * Ways to choose schedules of which one may hang. What a strategy decides
 * depends on a seed and the number of the schedule alone, so that any schedule
 * can be made in any order and by any thread.
 */
enum orr_strategy_kind {
    ORR_STRATEGY_RANDOM, /* every option is as likely as the others */
    ORR_STRATEGY_PCT,    /* workers have random priorities, which change at a
                            few random points: Burckhardt, Kothari, Musuvathi,
                            Nagarakatte, A randomized scheduler with
                            probabilistic guarantees of finding bugs, ASPLOS
                            2010 */
    ORR_STRATEGY_STARVE, /* one worker, or the application, comes last, from
                            some point on and for some time */
    ORR_STRATEGY_DELAY,  /* the default but at a few random points */
    ORR_STRATEGIES
};

/* "random", "pct", "starve", "delay". */
const char *orr_strategy_name(enum orr_strategy_kind kind);

/* What the schedules are of. */
struct orr_strategy_scope {
    uint64_t seed;
    unsigned workers;
    uint64_t decisions; /* how many a run takes, about */
};

struct orr_strategy;

/* Copies @scope. Free with orr_strategy_free(); NULL is allowed there. */
struct orr_strategy *orr_strategy_new(enum orr_strategy_kind kind,
                                      const struct orr_strategy_scope *scope);
void orr_strategy_free(struct orr_strategy *strategy);

/* Who decides in schedule @number; borrowed until the next. */
struct orr_decider *orr_strategy_begin(struct orr_strategy *strategy,
                                       uint64_t number);

/* pct: how many decisions, in the order that matters, a hang may take. */
#define ORR_STRATEGY_DEPTH 3

/*
 * What follows from @schedules of them, none of which hangs, for those that
 * were not run: a sentence without a full stop, to be freed with g_free();
 * NULL: nothing.
 */
char *orr_strategy_claim(enum orr_strategy_kind kind,
                         const struct orr_strategy_scope *scope,
                         uint64_t schedules);

#endif

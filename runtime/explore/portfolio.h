/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PORTFOLIO_H
#define ORR_PORTFOLIO_H

#include <stdbool.h>

#include "runtime/explore/strategy.h"

/*
 * Shares the schedules of an exploration among the strategies.
 *
 * Schedules come in rounds, each twice as long as the one before. In the first
 * round all strategies have the same share. In each further round the share of
 * a strategy is proportional to its yield: the fraction of its schedules in the
 * round before that were distinct. A schedule is distinct if no earlier
 * schedule had the same order of tasks, workers and copies. A strategy with a
 * yield below 1 in 50 is dropped once it has made 100 schedules, unless all
 * are. The shares depend on the results of schedules alone, not on how fast
 * they are.
 */

/* A strategy: one of strategy.h, or the depth-first search (dfs.h). */
enum { ORR_PORTFOLIO_DFS = ORR_STRATEGIES, ORR_PORTFOLIO_MOST };

/* Schedules of a round, at most. */
enum { ORR_LONGEST_ROUND = 1 << 20 };

struct orr_share {
    bool used;       /* the strategy takes part */
    uint64_t made;   /* schedules so far */
    double yield;    /* distinct schedules per schedule in the last round */
    uint64_t next;   /* number of its next schedule, from 0 */
    uint64_t quota;  /* its schedules in this round */
    uint64_t credit; /* schedules of this round that are still to be dealt */
};

struct orr_portfolio {
    struct orr_share shares[ORR_PORTFOLIO_MOST];
    uint64_t round; /* number of schedules in this round */
};

/* Schedule number @number of a strategy of strategy.h. */
struct orr_turn {
    enum orr_strategy_kind kind;
    uint64_t number;
};

/* @used: whether each strategy takes part. */
void orr_portfolio_init(struct orr_portfolio *portfolio,
                        const bool used[ORR_PORTFOLIO_MOST]);

/*
 * Begins a round of @most schedules at most. Returns the turns (struct
 * orr_turn) of the strategies of strategy.h in the round, to be freed with
 * g_array_unref(). The schedules of the depth-first search,
 * shares[ORR_PORTFOLIO_DFS].quota, are to be made before them.
 */
GArray *orr_portfolio_begin(struct orr_portfolio *portfolio, uint64_t most);

/* Ends a round in which a strategy has made @schedules schedules, of which
 * @distinct were distinct. */
void orr_portfolio_end(struct orr_portfolio *portfolio, unsigned strategy,
                       uint64_t schedules, uint64_t distinct);

/* "random", ..., "dfs". */
const char *orr_portfolio_name(unsigned strategy);

#endif

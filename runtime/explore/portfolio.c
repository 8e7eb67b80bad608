/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/portfolio.h"

#include <glib.h>

enum { FIRST_ROUND = 100 };

/* A fair trial: so many schedules of a strategy before it is dropped. */
enum { TRIAL = 100 };

static const double least_yield = 0.02;

static double weight_of(const struct orr_share *share)
{
    if (!share->used || (share->made >= TRIAL && share->yield < least_yield))
        return 0;
    return MAX(share->yield, least_yield);
}

void orr_portfolio_init(struct orr_portfolio *portfolio,
                        const bool used[ORR_PORTFOLIO_MOST])
{
    *portfolio = (struct orr_portfolio){.round = FIRST_ROUND};
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++)
        portfolio->shares[i] =
            (struct orr_share){.used = used[i], .yield = used[i]};
}

/* Sets the weight of each strategy. If all are 0, strategies in use get 1.
 * Returns their sum. */
static double weigh(const struct orr_portfolio *portfolio,
                    double weights[ORR_PORTFOLIO_MOST])
{
    unsigned used = 0;
    double sum = 0;

    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        weights[i] = weight_of(&portfolio->shares[i]);
        sum += weights[i];
    }
    if (sum > 0)
        return sum;
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        weights[i] = portfolio->shares[i].used;
        used += portfolio->shares[i].used;
    }
    return used;
}

/* Sets the quotas, of @count schedules together. */
static void divide(struct orr_portfolio *portfolio, uint64_t count)
{
    double weights[ORR_PORTFOLIO_MOST];
    double all = weigh(portfolio, weights), before = 0;
    uint64_t given = 0;

    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++) {
        uint64_t end;

        before += weights[i];
        end = before >= all ? count : (uint64_t)(before / all * (double)count);
        portfolio->shares[i].quota = end - given;
        given = end;
    }
}

/* The strategy of strategy.h that is furthest behind its quota. */
static unsigned furthest_behind(const struct orr_portfolio *portfolio)
{
    unsigned best = 0;
    double most = -1;

    for (unsigned i = 0; i < ORR_STRATEGIES; i++) {
        const struct orr_share *share = &portfolio->shares[i];
        double left = share->quota == 0
                          ? -1
                          : (double)share->credit / (double)share->quota;

        if (left > most) {
            best = i;
            most = left;
        }
    }
    return best;
}

GArray *orr_portfolio_begin(struct orr_portfolio *portfolio, uint64_t most)
{
    uint64_t count = MIN(portfolio->round, most);
    GArray *turns = g_array_new(FALSE, FALSE, sizeof(struct orr_turn));

    divide(portfolio, count);
    for (unsigned i = 0; i < ORR_PORTFOLIO_MOST; i++)
        portfolio->shares[i].credit = portfolio->shares[i].quota;
    count -= portfolio->shares[ORR_PORTFOLIO_DFS].quota;
    for (; count > 0; count--) {
        unsigned kind = furthest_behind(portfolio);
        struct orr_share *share = &portfolio->shares[kind];
        struct orr_turn turn = {kind, share->next++};

        share->credit--;
        g_array_append_val(turns, turn);
    }
    portfolio->round = MIN(2 * portfolio->round, (uint64_t)ORR_LONGEST_ROUND);
    return turns;
}

void orr_portfolio_end(struct orr_portfolio *portfolio, unsigned strategy,
                       uint64_t schedules, uint64_t distinct)
{
    struct orr_share *share = &portfolio->shares[strategy];

    share->made += schedules;
    if (schedules > 0)
        share->yield = (double)distinct / (double)schedules;
}

const char *orr_portfolio_name(unsigned strategy)
{
    return strategy == ORR_PORTFOLIO_DFS ? "dfs" : orr_strategy_name(strategy);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/explore/strategy_private.h"

#include <string.h>

#include "models/rng.h"

static const struct orr_strategy_ops *const table[ORR_STRATEGIES] = {
    [ORR_STRATEGY_RANDOM] = &orr_strategy_random,
    [ORR_STRATEGY_PCT] = &orr_strategy_pct,
    [ORR_STRATEGY_STARVE] = &orr_strategy_starve,
    [ORR_STRATEGY_DELAY] = &orr_strategy_delay,
};

static unsigned decide(struct orr_decider *decider,
                       const struct orr_decision *decision)
{
    struct orr_strategy *strategy = (struct orr_strategy *)decider;
    unsigned option;

    if (decision->kind == ORR_DECIDE_ORDER)
        return 0;
    option = strategy->ops->decide(strategy, decision);
    strategy->position++;
    return option;
}

struct orr_strategy *orr_strategy_new(enum orr_strategy_kind kind,
                                      const struct orr_strategy_scope *scope)
{
    struct orr_strategy *strategy = g_new0(struct orr_strategy, 1);

    strategy->decider.decide = decide;
    strategy->ops = table[kind];
    strategy->scope = *scope;
    strategy->state = g_malloc0(strategy->ops->state_size);
    return strategy;
}

void orr_strategy_free(struct orr_strategy *strategy)
{
    if (!strategy)
        return;
    g_free(strategy->state);
    g_free(strategy);
}

struct orr_decider *orr_strategy_begin(struct orr_strategy *strategy,
                                       uint64_t number)
{
    strategy->number = number;
    strategy->drawn = 0;
    strategy->position = 0;
    if (strategy->state)
        memset(strategy->state, 0, strategy->ops->state_size);
    if (strategy->ops->begin)
        strategy->ops->begin(strategy);
    return &strategy->decider;
}

char *orr_strategy_claim(enum orr_strategy_kind kind,
                         const struct orr_strategy_scope *scope,
                         uint64_t schedules)
{
    return table[kind]->claim ? table[kind]->claim(scope, schedules) : NULL;
}

unsigned orr_strategy_bounds(enum orr_strategy_kind kind,
                             const struct orr_strategy_scope *scope,
                             uint64_t schedules,
                             double bounds[ORR_STRATEGY_BOUNDS])
{
    return table[kind]->bounds ? table[kind]->bounds(scope, schedules, bounds)
                               : 0;
}

const char *orr_strategy_name(enum orr_strategy_kind kind)
{
    return table[kind]->name;
}

uint64_t orr_strategy_draw(struct orr_strategy *strategy, uint64_t limit)
{
    return orr_rng_bits(strategy->scope.seed, strategy->number,
                        strategy->drawn++) %
           limit;
}

unsigned orr_strategy_toss(struct orr_strategy *strategy,
                           const struct orr_decision *decision, unsigned chance)
{
    if (chance == 0 || orr_strategy_draw(strategy, 256) >= chance)
        return 0;
    return (unsigned)orr_strategy_draw(strategy, decision->count);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One worker, each in turn, is chosen only when no other can be, as if its core
 * were busy with something else. Other decisions are the default in the first
 * round over the workers; in later rounds they deviate more and more.
 */
#include "runtime/explore/strategy_private.h"

static const unsigned chances[] = {0, 32, 256}; /* of 256 */

static unsigned decide(struct orr_strategy *strategy,
                       const struct orr_decision *decision)
{
    unsigned workers = MAX(strategy->scope.workers, 1u);
    unsigned starved = (unsigned)(strategy->number % workers);
    unsigned chance =
        chances[strategy->number / workers % G_N_ELEMENTS(chances)];
    unsigned option;

    if (decision->kind == ORR_DECIDE_GAP)
        return decision->who[0] == starved ? decision->count - 1 : 0;
    option = orr_strategy_toss(strategy, decision, chance);

    for (unsigned i = 0; decision->who && i < decision->count; i++) {
        if (decision->who[option] != starved)
            break;
        option = (option + 1) % decision->count;
    }
    return option;
}

static char *claim(const struct orr_strategy_scope *scope, uint64_t schedules)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " of %u workers have been held "
                           "back",
                           MIN(schedules, scope->workers), scope->workers);
}

const struct orr_strategy_ops orr_strategy_starve = {
    .name = "starve",
    .decide = decide,
    .claim = claim,
};

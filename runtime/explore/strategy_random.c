/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Any option may be taken. How often depends on the schedule and on the kind of
 * decision: some hangs need runs in which only one kind deviates from the
 * default (Groce et al., Swarm Testing, ISSTA 2012).
 */
#include "runtime/explore/strategy_private.h"

struct state {
    unsigned chance[ORR_DECISION_KINDS]; /* of 256 */
};

static void begin(struct orr_strategy *strategy)
{
    static const unsigned chances[] = {0, 16, 64, 256};
    struct state *state = strategy->state;

    for (unsigned kind = 0; kind < ORR_DECISION_KINDS; kind++)
        state->chance[kind] =
            chances[orr_strategy_draw(strategy, G_N_ELEMENTS(chances))];
}

static unsigned decide(struct orr_strategy *strategy,
                       const struct orr_decision *decision)
{
    const struct state *state = strategy->state;

    return orr_strategy_toss(strategy, decision, state->chance[decision->kind]);
}

const struct orr_strategy_ops orr_strategy_random = {
    .name = "random",
    .state_size = sizeof(struct state),
    .begin = begin,
    .decide = decide,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Any option may be taken. How often depends on the schedule and on the kind of
 * decision: some hangs need runs in which only one kind deviates from the
 * default (Groce et al., Swarm Testing, ISSTA 2012).
 *
 * Schedules are drawn independently of each other. If a share p of all that may
 * be drawn hangs, n schedules show none with a probability of (1 - p)^n, which
 * is below 5 % if p > 1 - 0.05^(1/n), about 3/n.
 */
#include <math.h>

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

static unsigned bounds(const struct orr_strategy_scope *scope,
                       uint64_t schedules, double *into)
{
    (void)scope;
    into[0] = -expm1(log(0.05) / (double)schedules);
    return 1;
}

static char *claim(const struct orr_strategy_scope *scope, uint64_t schedules)
{
    double share;

    bounds(scope, schedules, &share);
    return g_strdup_printf(
        "fewer than %.2g %% of the schedules that it draws hang, with 95 %% "
        "confidence",
        100 * share);
}

const struct orr_strategy_ops orr_strategy_random = {
    .name = "random",
    .state_size = sizeof(struct state),
    .begin = begin,
    .decide = decide,
    .claim = claim,
    .bounds = bounds,
};

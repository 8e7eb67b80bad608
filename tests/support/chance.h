/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHANCE_H
#define ORR_CHANCE_H

#include <glib.h>

#include "runtime/engine/decision.h"

/* A decider that takes the default @default_odds times out of @default_odds
 * + 1, and else any option. Kernels of one kind all take the same, so that
 * workers are often at the same point. */
struct chance {
    struct orr_decider decider; /* first */
    GRand *rand;
    gint32 default_odds;
    unsigned asked[ORR_DECISION_KINDS];
};

static inline unsigned chance_decide(struct orr_decider *decider,
                                     const struct orr_decision *decision)
{
    struct chance *chance = (struct chance *)decider;

    chance->asked[decision->kind]++;
    if (decision->kind == ORR_DECIDE_DURATION)
        return 0;
    if (g_rand_int_range(chance->rand, 0, chance->default_odds + 1) > 0)
        return 0;
    return (unsigned)g_rand_int_range(chance->rand, 0, (gint32)decision->count);
}

static inline void chance_init(struct chance *chance, uint32_t seed,
                               gint32 default_odds)
{
    *chance = (struct chance){
        .decider = {.decide = chance_decide},
        .rand = g_rand_new_with_seed(seed),
        .default_odds = default_odds,
    };
}

static inline void chance_clear(struct chance *chance)
{
    g_rand_free(chance->rand);
}

#endif

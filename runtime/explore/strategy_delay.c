/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The default schedule except at one to four points: most hangs need no more
 * (Emmi, Qadeer, Rakamaric, Delay-Bounded Scheduling, POPL 2011), and what
 * such a schedule shows is easily understood.
 */
#include "runtime/explore/strategy_private.h"

enum { MOST = 4 };

struct state {
    unsigned count;
    uint64_t points[MOST];
};

static void begin(struct orr_strategy *strategy)
{
    struct state *state = strategy->state;
    uint64_t decisions = MAX(strategy->scope.decisions, 1);

    state->count = 1 + (unsigned)(strategy->number % MOST);
    for (unsigned i = 0; i < state->count; i++)
        state->points[i] = orr_strategy_draw(strategy, decisions);
}

static unsigned decide(struct orr_strategy *strategy,
                       const struct orr_decision *decision)
{
    const struct state *state = strategy->state;

    for (unsigned i = 0; i < state->count; i++) {
        if (state->points[i] == strategy->position)
            return 1 +
                   (unsigned)orr_strategy_draw(strategy, decision->count - 1);
    }
    return 0;
}

const struct orr_strategy_ops orr_strategy_delay = {
    .name = "delay",
    .state_size = sizeof(struct state),
    .begin = begin,
    .decide = decide,
};

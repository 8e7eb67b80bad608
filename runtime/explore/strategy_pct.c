/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Actors (workers, the application, and all copies as one) have random
 * priorities; the highest one is chosen. In a concurrent policy, only the
 * highest caller of all goes on at an operation on a lock; another is held back
 * until nothing else can happen. At d - 1 random points the chosen actor falls
 * below all others. With n actors and k decisions, a schedule meets d given
 * constraints on the order of decisions with a probability of 1 / (n k^(d-1))
 * or more (Burckhardt, Kothari, Musuvathi, Nagarakatte, A Randomized Scheduler
 * with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010, section 3).
 * Decisions that are not between actors keep their defaults.
 */
#include <math.h>

#include "runtime/explore/strategy_private.h"

enum {
    DEEPEST = ORR_STRATEGY_BOUNDS, /* d is 1, 2, ... in turn */
    MOST_ACTORS = 64 + 2,          /* with more, workers share priorities */
    APPLICATION = MOST_ACTORS - 2, /* see actor_of() */
    COPIES = MOST_ACTORS - 1,
};

struct state {
    uint64_t priorities[MOST_ACTORS];
    unsigned depth;
    uint64_t changes[DEEPEST - 1]; /* positions; depth - 1 of them */
};

static unsigned actor_of(unsigned who)
{
    if (who == ORR_NO_WORKER)
        return APPLICATION;
    return who == ORR_NO_ACTOR ? COPIES : who % APPLICATION;
}

static void begin(struct orr_strategy *strategy)
{
    struct state *state = strategy->state;
    uint64_t decisions = MAX(strategy->scope.decisions, 1);

    state->depth = 1 + (unsigned)(strategy->number % DEEPEST);
    for (unsigned i = 0; i < MOST_ACTORS; i++)
        state->priorities[i] = DEEPEST + orr_strategy_draw(strategy, 1u << 31);
    for (unsigned i = 0; i + 1 < state->depth; i++)
        state->changes[i] = orr_strategy_draw(strategy, decisions);
}

/* Which of the changes comes at this decision, from 1; 0: none. */
static unsigned change_now(const struct orr_strategy *strategy)
{
    const struct state *state = strategy->state;

    for (unsigned i = 0; i + 1 < state->depth; i++) {
        if (state->changes[i] == strategy->position)
            return i + 1;
    }
    return 0;
}

static unsigned most_urgent(const struct state *state,
                            const struct orr_decision *decision)
{
    unsigned best = 0;

    for (unsigned i = 1; i < decision->count; i++) {
        if (state->priorities[actor_of(decision->who[i])] >
            state->priorities[actor_of(decision->who[best])])
            best = i;
    }
    return best;
}

/* Whether no worker has a higher priority than @actor, nor the application. */
static bool is_first(const struct orr_strategy *strategy, unsigned actor)
{
    const struct state *state = strategy->state;
    unsigned workers = MIN(strategy->scope.workers, (unsigned)APPLICATION);
    uint64_t priority = state->priorities[actor];

    for (unsigned w = 0; w < workers; w++) {
        if (state->priorities[w] > priority)
            return false;
    }
    return state->priorities[APPLICATION] <= priority;
}

static unsigned decide(struct orr_strategy *strategy,
                       const struct orr_decision *decision)
{
    struct state *state = strategy->state;
    bool steps =
        decision->kind == ORR_DECIDE_STEP || decision->kind == ORR_DECIDE_GAP;
    unsigned change = change_now(strategy);
    unsigned actor;

    if (!decision->who)
        return 0;
    actor = actor_of(decision->who[steps ? 0 : most_urgent(state, decision)]);
    if (change)
        state->priorities[actor] = DEEPEST - change;
    if (steps)
        return is_first(strategy, actor) ? 0 : decision->count - 1;
    return most_urgent(state, decision);
}

static unsigned bounds(const struct orr_strategy_scope *scope,
                       uint64_t schedules, double *into)
{
    double actors = scope->workers + 2.0;
    double decisions = MAX((double)scope->decisions, 1);

    for (unsigned depth = 1; depth <= DEEPEST; depth++) {
        uint64_t tries = (schedules + DEEPEST - depth) / DEEPEST;
        double once = 1 / (actors * pow(decisions, depth - 1.0));

        into[depth - 1] = -expm1((double)tries * log1p(-once));
    }
    return DEEPEST;
}

static char *claim(const struct orr_strategy_scope *scope, uint64_t schedules)
{
    GString *text = g_string_new("with probability at least");
    double all[DEEPEST];

    bounds(scope, schedules, all);
    for (unsigned depth = 1; depth <= DEEPEST; depth++)
        g_string_append_printf(text, "%s %.2g", depth > 1 ? "," : "",
                               all[depth - 1]);
    g_string_append_printf(text,
                           ", any given hang that needs 1, 2, 3, %d ordering "
                           "constraints among %" G_GUINT64_FORMAT
                           " decisions of %u actors would have been found",
                           DEEPEST, scope->decisions, scope->workers + 2);
    return g_string_free(text, FALSE);
}

const struct orr_strategy_ops orr_strategy_pct = {
    .name = "pct",
    .state_size = sizeof(struct state),
    .begin = begin,
    .decide = decide,
    .claim = claim,
    .bounds = bounds,
};

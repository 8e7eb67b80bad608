/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/experiment/halving.h"

#include <math.h>
#include <stdlib.h>

/* Replicas of the first round: the least number that has a variance. */
enum { FIRST = 2 };

struct state {
    const struct orr_halving *halving;
    double *values; /* [candidate * most + replica] */
    struct orr_candidate
        *candidates; /* the first @left are still in the search */
    unsigned alive;
};

static const double *values_of(const struct state *state,
                               const struct orr_candidate *candidate)
{
    return state->values + (size_t)candidate->index * state->halving->most;
}

/* Sets the number of replicas and the mean. Returns false if the candidate
 * fails. */
static bool update(const struct state *state, struct orr_candidate *candidate,
                   unsigned replicas)
{
    const double *values = values_of(state, candidate);
    struct orr_summary summary;

    for (unsigned r = 0; r < replicas; r++) {
        if (!isfinite(values[r]))
            return false;
    }
    orr_summary_compute(&summary, values, replicas);
    candidate->replicas = replicas;
    candidate->mean = summary.mean;
    return true;
}

static int by_mean(const void *a, const void *b)
{
    const struct orr_candidate *left = a, *right = b;

    if (left->mean != right->mean)
        return left->mean < right->mean ? -1 : 1;
    return (left->index > right->index) - (left->index < right->index);
}

/* Compares two candidates for the order of the result. */
static int by_rank(const void *a, const void *b)
{
    const struct orr_candidate *left = a, *right = b;
    bool left_fails = left->verdict == ORR_VERDICT_FAILED;
    bool right_fails = right->verdict == ORR_VERDICT_FAILED;

    if (left_fails != right_fails)
        return left_fails ? 1 : -1;
    if (left_fails)
        return left->index < right->index ? -1 : 1;
    if (left->replicas != right->replicas)
        return left->replicas > right->replicas ? -1 : 1;
    return by_mean(a, b);
}

/* Removes candidate @i from the search: moves it behind the remaining ones. */
static void drop(struct state *state, unsigned i)
{
    struct orr_candidate candidate = state->candidates[i];

    for (state->alive--; i < state->alive; i++)
        state->candidates[i] = state->candidates[i + 1];
    state->candidates[i] = candidate;
}

/* Measures the remaining candidates up to replica @to, and sorts them. */
static bool measure(struct state *state, unsigned from, unsigned to)
{
    const struct orr_halving *halving = state->halving;
    unsigned *indices = g_new(unsigned, state->alive);
    bool good;

    for (unsigned i = 0; i < state->alive; i++)
        indices[i] = state->candidates[i].index;
    good = halving->measure(indices, state->alive, from, to, state->values,
                            halving->data);
    g_free(indices);
    for (unsigned i = state->alive; good && i-- > 0;) {
        if (!update(state, &state->candidates[i], to)) {
            state->candidates[i].verdict = ORR_VERDICT_FAILED;
            drop(state, i);
        }
    }
    qsort(state->candidates, state->alive, sizeof(*state->candidates), by_mean);
    return good;
}

/* Compares a candidate with the best, over the replicas that both have. */
static void judge(const struct state *state, struct orr_candidate *candidate)
{
    const struct orr_candidate *best = &state->candidates[0];

    if (candidate->verdict == ORR_VERDICT_FAILED)
        return;
    candidate->versus = (struct orr_contrast){NAN, NAN, NAN};
    candidate->verdict = ORR_VERDICT_OPEN;
    if (candidate == best)
        candidate->verdict = ORR_VERDICT_BEST;
    else if (candidate->replicas > 1)
        orr_contrast_compute(&candidate->versus, values_of(state, candidate),
                             values_of(state, best), candidate->replicas);
    if (candidate->versus.low > 0)
        candidate->verdict = ORR_VERDICT_WORSE;
}

/* Whether every other candidate in the search is known to be worse than the
 * best. */
static bool is_sure(const struct state *state)
{
    for (unsigned i = 1; i < state->alive; i++) {
        judge(state, &state->candidates[i]);
        if (state->candidates[i].verdict != ORR_VERDICT_WORSE)
            return false;
    }
    return true;
}

/* Whether the replicas of each candidate are equal: nothing is random. */
static bool are_equal(const struct state *state)
{
    for (unsigned i = 0; i < state->alive; i++) {
        const double *values = values_of(state, &state->candidates[i]);

        for (unsigned r = 1; r < state->candidates[i].replicas; r++) {
            if (values[r] < values[0] || values[r] > values[0])
                return false;
        }
    }
    return true;
}

/* Removes the worse half of the candidates, but leaves two. */
static void keep_half(struct state *state)
{
    unsigned keep = MAX(2, (state->alive + 1) / 2);

    state->alive = MIN(state->alive, keep);
}

static bool halve(struct state *state)
{
    unsigned most = state->halving->most;
    unsigned from = 0;
    unsigned to = MIN(FIRST, most);

    for (;;) {
        if (!measure(state, from, to))
            return false;
        if (to == most || is_sure(state) ||
            (state->candidates[0].replicas > 1 && are_equal(state)))
            return true;
        keep_half(state);
        from = to;
        to = MIN(2 * to, most);
    }
}

/* Sorts all candidates, and compares them with the best. */
static void rank(const struct state *state)
{
    unsigned count = state->halving->count;

    qsort(state->candidates, count, sizeof(*state->candidates), by_rank);
    for (unsigned i = 0; i < count; i++)
        judge(state, &state->candidates[i]);
}

/* Puts one removed candidate that may be as good as the best back into the
 * search: the first with the fewest replicas. Returns false if there is none.
 */
static bool take_back(struct state *state)
{
    struct orr_candidate *candidates = state->candidates;
    unsigned found = 0;

    for (unsigned i = 1; i < state->halving->count; i++) {
        if (candidates[i].verdict == ORR_VERDICT_OPEN &&
            candidates[i].replicas < candidates[0].replicas &&
            (found == 0 || candidates[i].replicas < candidates[found].replicas))
            found = i;
    }
    if (found > 0) {
        struct orr_candidate candidate = candidates[found];

        candidates[found] = candidates[0];
        candidates[0] = candidate;
        state->alive = 1;
    }
    return found > 0;
}

/* Measures more replicas of candidates that were removed too early, until each
 * is known to be worse or has as many replicas as the best. */
static bool confirm(struct state *state)
{
    rank(state);
    while (take_back(state)) {
        unsigned most = state->candidates[0].replicas;
        unsigned from = most;

        for (unsigned i = 1; i < state->halving->count; i++)
            most = MAX(most, state->candidates[i].replicas);
        if (!measure(state, from, MIN(2 * from, most)))
            return false;
        rank(state);
    }
    return true;
}

struct orr_candidate *orr_halving_run(const struct orr_halving *halving)
{
    struct state state = {
        .halving = halving,
        .values = g_new(double, (size_t)halving->count * halving->most),
        .candidates = g_new0(struct orr_candidate, halving->count),
        .alive = halving->count,
    };

    for (unsigned i = 0; i < halving->count; i++)
        state.candidates[i].index = i;
    if (!halve(&state) || !confirm(&state))
        g_clear_pointer(&state.candidates, g_free);
    g_free(state.values);
    return state.candidates;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/policy/fitness.h"

#include <math.h>

void orr_weights_init(struct orr_weights *weights,
                      const struct orr_sched *sched)
{
    weights->of = orr_sched_weights(sched);
    weights->plain = weights->of.alpha >= 1 && weights->of.alpha <= 1 &&
                     weights->of.beta >= 1 && weights->of.beta <= 1 &&
                     weights->of.idle_power_w * weights->of.gamma <= 0;
}

static double fitness(const struct orr_sched_weights *weights,
                      const struct orr_prospect *prospect, double joules,
                      orr_time least_end, orr_time planned)
{
    double sum = weights->alpha * (double)(prospect->end - least_end) / 1e3 +
                 weights->beta * (double)prospect->transfer / 1e3 +
                 weights->gamma * joules;

    if (prospect->end > planned)
        sum += weights->gamma * weights->idle_power_w *
               ((double)(prospect->end - planned) / 1e3) / 1e6;
    return sum;
}

static unsigned best_weighted(const struct orr_sched_weights *weights,
                              const struct orr_prospect *prospects,
                              unsigned count, const double *joules)
{
    orr_time least_end = ORR_NEVER, planned = 0;
    double least = INFINITY;
    unsigned best = 0;

    for (unsigned i = 0; i < count; i++) {
        if (prospects[i].end == ORR_NEVER)
            continue;
        least_end = MIN(least_end, prospects[i].end);
        planned = MAX(planned, prospects[i].begin);
    }
    for (unsigned i = 0; i < count; i++) {
        double sum;

        if (prospects[i].end == ORR_NEVER)
            continue;
        sum = fitness(weights, &prospects[i], joules ? joules[i] : 0, least_end,
                      planned);
        if (!(sum < least))
            continue;
        least = sum;
        best = i;
    }
    g_assert(isfinite(least));
    return best;
}

unsigned orr_fitness_best(const struct orr_weights *weights,
                          const struct orr_prospect *prospects, unsigned count,
                          const double *joules)
{
    orr_time least = ORR_NEVER;
    unsigned best = 0;

    if (joules || !weights->plain)
        return best_weighted(&weights->of, prospects, count, joules);
    for (unsigned i = 0; i < count; i++) {
        const struct orr_prospect *prospect = &prospects[i];

        /* The least end is the same in all sums, so it is left out. */
        if (prospect->end == ORR_NEVER ||
            prospect->end + prospect->transfer >= least)
            continue;
        least = prospect->end + prospect->transfer;
        best = i;
    }
    g_assert(least != ORR_NEVER);
    return best;
}

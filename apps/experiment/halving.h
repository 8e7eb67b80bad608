/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HALVING_H
#define ORR_HALVING_H

#include <glib.h>
#include <stdbool.h>

#include "models/base/statistics.h"

/*
 * Successive halving: finds the candidate with the least mean of a random cost.
 * All candidates begin with few replicas. In each round, the worse half is
 * removed, and the others get twice as many replicas. So most replicas are
 * spent on candidates that are hard to distinguish (Karnin, Koren, Somekh:
 * Almost optimal exploration in multi-armed bandits, ICML 2013). At the end,
 * removed candidates that may be as good as the best get more replicas, too.
 *
 * Replica r of all candidates has the same random numbers, so that their common
 * effect cancels when two candidates are compared replica by replica
 * (statistics.h).
 */
enum orr_verdict {
    ORR_VERDICT_BEST,   /* the least mean */
    ORR_VERDICT_WORSE,  /* worse than the best, at 95 % */
    ORR_VERDICT_OPEN,   /* may be as good as the best, or better */
    ORR_VERDICT_FAILED, /* has no cost */
};

struct orr_candidate {
    unsigned index; /* as numbered by the caller, from 0 */
    unsigned
        replicas; /* number of replicas measured; 0: the first one failed */
    double mean;  /* mean of these replicas */
    struct orr_contrast
        versus; /* difference from the best, over the same replicas; NAN if
                   there is one replica, or this is the best */
    enum orr_verdict verdict;
};

struct orr_halving {
    unsigned count; /* number of candidates */
    unsigned most;  /* replicas of a candidate, at least 1 */

    /*
     * Measures the replicas from @from to @to - 1 of @count candidates: sets
     * values[candidate * most + replica] to the cost, above 0; NAN: the
     * candidate fails. Returns false to stop.
     */
    bool (*measure)(const unsigned *candidates, unsigned count, unsigned from,
                    unsigned to, double *values, void *data);
    void *data;
};

/*
 * Returns all candidates, halving->count of them, from the best to the worst:
 * candidates with more replicas first, failed ones last. Ends when each
 * candidate is worse than the best or has as many replicas. Free with g_free().
 * Returns NULL if halving->measure() returns false.
 */
struct orr_candidate *orr_halving_run(const struct orr_halving *halving);

#endif

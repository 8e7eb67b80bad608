/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HALVING_H
#define ORR_HALVING_H

#include <glib.h>
#include <stdbool.h>

#include "models/base/statistics.h"

/*
 * Successive halving: finds the candidate with the least mean of a random cost.
 * All candidates begin with few replicas; again and again the worse half is
 * dropped, and the others get twice as many. So most replicas go to those that
 * are hard to tell apart (Karnin, Koren, Somekh: Almost optimal exploration in
 * multi-armed bandits, ICML 2013). At the end, those that were dropped although
 * they may be as good as the best get more, too.
 *
 * Replica r of all candidates has the same random numbers. What these do to all
 * alike cancels out of the comparison of two candidates, replica by replica
 * (statistics.h).
 */
enum orr_verdict {
    ORR_VERDICT_BEST,   /* the least mean */
    ORR_VERDICT_WORSE,  /* than the best, at 95 % */
    ORR_VERDICT_OPEN,   /* may be as good as the best, or better */
    ORR_VERDICT_FAILED, /* has no cost */
};

struct orr_candidate {
    unsigned index;             /* as numbered by the caller, from 0 */
    unsigned replicas;          /* that were measured; 0: it failed at once */
    double mean;                /* of them */
    struct orr_contrast versus; /* the best, over the same replicas; NAN if
                                   there is one replica, or it is the best */
    enum orr_verdict verdict;
};

struct orr_halving {
    unsigned count; /* of candidates */
    unsigned most;  /* replicas of a candidate, at least 1 */

    /*
     * Measures the replicas from @from to before @to of @count candidates: sets
     * values[candidate * most + replica] to the cost, above 0; NAN: the
     * candidate fails. Returns false to stop.
     */
    bool (*measure)(const unsigned *candidates, unsigned count, unsigned from,
                    unsigned to, double *values, void *data);
    void *data;
};

/*
 * Returns all candidates, halving->count of them, from the best to the worst:
 * those with more replicas first, those that fail last. Ends when each other
 * one is worse than the best or has as many replicas. Free with g_free().
 * Returns NULL if halving->measure() does.
 */
struct orr_candidate *orr_halving_run(const struct orr_halving *halving);

#endif

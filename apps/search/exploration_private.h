/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EXPLORATION_PRIVATE_H
#define ORR_EXPLORATION_PRIVATE_H

#include "apps/search/exploration.h"
#include "runtime/explore/decision_log.h"

/* What the modules that exploration consists of share. */

/* So many schedules in a row are one job. */
enum { ORR_BATCH = 16 };

/* What came of some schedules in a row. */
struct orr_batch {
    uint64_t first;                    /* number */
    unsigned count;                    /* that were run, of which is: */
    const char *strategies[ORR_BATCH]; /* what made each */
    uint64_t orders[ORR_BATCH];        /* see struct orr_report */
    bool hung[ORR_BATCH];              /* it did not finish */
    GPtrArray *findings;               /* struct orr_finding, by number */

    uint64_t decisions; /* that the last one took */
    JsonObject *facts;  /* of schedule 1, if it is in the batch; see facts.h */

    enum orr_exit status;
    GError *error; /* the next schedule could not be run; owned */
};

struct orr_batch *orr_batch_new(uint64_t first);
void orr_batch_free(struct orr_batch *batch);

/*
 * Runs the next schedule of @batch, which @decider makes and @strategy is the
 * name of. Returns false if it could not be done.
 */
bool orr_batch_run(struct orr_batch *batch,
                   const struct orr_exploration *exploration,
                   struct orr_decider *decider, const char *strategy);

/*
 * Sums up what @batches, which are sorted for that, have of schedules before
 * number @end. Returns the exit status that suits, with @error if the next
 * schedule could not be run.
 */
enum orr_exit orr_exploration_sum(struct orr_exploration *exploration,
                                  GPtrArray *batches, uint64_t end,
                                  GError **error);

/* Adds @finding, taken, to @findings: there is one of each kind. */
void orr_finding_add(GPtrArray *findings, struct orr_finding *finding);
void orr_finding_free(struct orr_finding *finding);

/* Whether what @finding decided ends so again; sets its "repeats". */
void orr_finding_check(struct orr_finding *finding,
                       const struct orr_exploration *exploration);

#endif

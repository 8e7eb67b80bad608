/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BATCH_H
#define ORR_BATCH_H

#include <json-glib/json-glib.h>

#include "apps/search/failure.h"
#include "apps/search/interleavings.h"

/*
 * Consecutive schedules of an exploration, run by one job of a thread
 * (parallel.h).
 */
enum { ORR_BATCH_MAX = 16 };

struct orr_batch {
    uint64_t first; /* number of the first schedule */
    unsigned count; /* number of schedules that were run; the arrays below have
                       an element for each */
    const char
        *strategies[ORR_BATCH_MAX]; /* name of the strategy of a schedule */
    uint64_t orders[ORR_BATCH_MAX]; /* digest of the order of tasks, see struct
                                       orr_report */
    bool hung[ORR_BATCH_MAX];       /* the schedule did not finish */
    GPtrArray *failures;            /* struct orr_failure, by number; owned */
    struct orr_interleavings
        *interleavings; /* seen in all schedules of the batch; owned */

    bool is_plain; /* the policy has no operations to observe */
    uint64_t
        decisions; /* number of decisions in the last schedule that was run */
    JsonObject *facts; /* facts of schedule 1 (facts.h) if it is in the batch;
                          otherwise NULL */

    enum orr_exit
        status;    /* exit status of the last attempt to run a schedule */
    GError *error; /* why the next schedule could not be run; owned */
};

struct orr_batch *orr_batch_new(uint64_t first);
void orr_batch_free(struct orr_batch *batch);

/*
 * Runs the next schedule of @batch with the resolved @scenario. @decider, with
 * the strategy called @strategy, takes the decisions (NULL: the defaults).
 * Returns false, with batch->error, if the simulation could not be done.
 */
bool orr_batch_run(struct orr_batch *batch, const struct orr_scenario *scenario,
                   struct orr_decider *decider, const char *strategy);

#endif

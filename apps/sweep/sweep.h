/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SWEEP_H
#define ORR_SWEEP_H

#include "apps/campaign/shard.h"
#include "apps/sweep/point_runner.h"
#include "apps/sweep/store.h"

/*
 * The runs to perform: all replicas of the points that the filter and the shard
 * select, in the order of points and replicas.
 */
struct orr_sweep {
    const char *command; /* for messages */
    const struct orr_campaign *campaign;
    struct orr_point_runner *points;
    struct orr_shard shard; /* selects points */
    unsigned threads;       /* 0: one for each core */
};

/* Numbers of runs: selected, in the store, and failed among the latter. */
struct orr_sweep_count {
    uint64_t wanted, ended, failed;
    char *first_failed; /* "point 3 (gpus=2): reason"; NULL: none in this
                           process; owned */
};

/* Whether the filter and the shard select @point. */
bool orr_sweep_wants(const struct orr_sweep *sweep, uint64_t point);

/*
 * Runs the points missing from @store in parallel and inserts their rows;
 * commits once a second. A failed run has a row, too. Sets *@count; free its
 * text.
 *
 * Returns ORR_EXIT_OK; the status of a signal, after which runs under way were
 * completed; or, with @error, ORR_EXIT_FAILURE: rows cannot be read or written.
 * Rows on the disk stay; the error says how many.
 */
enum orr_exit orr_sweep_run(const struct orr_sweep *sweep,
                            struct orr_store *store,
                            struct orr_sweep_count *count, GError **error);

#endif

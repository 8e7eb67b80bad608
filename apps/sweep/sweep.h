/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SWEEP_H
#define ORR_SWEEP_H

#include "apps/campaign/shard.h"
#include "apps/sweep/point_runner.h"
#include "apps/sweep/store.h"

/*
 * The runs of a campaign that are wanted: those of the points that its filter
 * and the shard have, in the order of points and replicas.
 */
struct orr_sweep {
    const char *command; /* for messages */
    const struct orr_campaign *campaign;
    struct orr_point_runner *points;
    struct orr_shard shard; /* which points */
    unsigned threads;       /* 0: one for each core */
};

/* How many runs there are, and how many have ended and are kept. */
struct orr_sweep_count {
    uint64_t wanted, ended, failed;
    char *first_failed; /* "point 3 (gpus=2): reason"; NULL: none in this
                           process; owned */
};

/* Whether the runs of @point are wanted. */
bool orr_sweep_wants(const struct orr_sweep *sweep, uint64_t point);

/*
 * Performs the runs that @store has not, in threads, and puts their rows there,
 * once a second on the disk. A run that fails is a row, too. Sets *@count,
 * whose text is to be freed.
 *
 * Returns ORR_EXIT_OK; the status of a signal, after which runs under way were
 * completed; or, with @error, ORR_EXIT_FAILURE: rows cannot be read or written.
 * What is on the disk stays; the error says how much that is.
 */
enum orr_exit orr_sweep_run(const struct orr_sweep *sweep,
                            struct orr_store *store,
                            struct orr_sweep_count *count, GError **error);

#endif

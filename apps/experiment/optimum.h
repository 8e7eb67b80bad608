/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPTIMUM_H
#define ORR_OPTIMUM_H

#include "apps/output/message.h"
#include "apps/output/output.h"
#include "apps/sweep/point_runner.h"

/*
 * Searches for the point of a campaign with the least makespan, or another
 * objective, by successive halving over replicas (halving.h), and reports how
 * certain the result is.
 */
struct orr_optimum_request {
    const char *command; /* for messages */
    const char *objective;
    const struct orr_campaign
        *campaign; /* its number of replicas is a maximum */
    struct orr_point_runner *points;
    unsigned threads; /* 0: one for each core */
    enum orr_format format;
};

/* Maximum number of replicas of a point, unless the campaign sets it. */
#define ORR_OPTIMUM_REPLICAS 64

/* The objectives, quantities to minimise; NULL-terminated. */
extern const char *const orr_optimum_objectives[];

/*
 * Runs the points, and prints them from the best to the worst. Returns
 * ORR_EXIT_OK, the status of a signal or, with @error, the status of a failure:
 * ORR_ERROR_UNKNOWN if there is no such objective, ORR_ERROR_VALUE if there are
 * too many points, or if all fail.
 */
enum orr_exit orr_optimum_run(const struct orr_optimum_request *request,
                              GError **error);

#endif

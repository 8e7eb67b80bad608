/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bus.h"

static orr_time predict_measured(const struct orr_platform_belief *belief,
                                 unsigned gpus, uint64_t bytes)
{
    if (!(belief->bytes_per_s > 0))
        return 0;
    return orr_time_from_seconds(
        belief->latency_s + (double)bytes / belief->bytes_per_s * 2 * gpus);
}

/* Seconds that a lone byte keeps link number @i of @route busy. */
static double occupation(const struct orr_platform *platform,
                         const struct orr_platform_route *route, unsigned i)
{
    unsigned times = 0;

    for (unsigned j = 0; j < route->count; j++)
        times += route->links[j] == route->links[i];
    return times / platform->links[route->links[i]].bytes_per_s;
}

static orr_time predict_route(const struct orr_platform *platform,
                              const struct orr_platform_route *route,
                              uint64_t bytes)
{
    orr_time latency = 0;
    double slowest = 0; /* s/byte */

    for (unsigned i = 0; i < route->count; i++) {
        double busy = occupation(platform, route, i);

        slowest = busy > slowest ? busy : slowest;
        latency =
            orr_time_add(latency, platform->links[route->links[i]].latency);
    }
    return orr_time_add(latency,
                        orr_time_from_seconds((double)bytes * slowest));
}

orr_time orr_bus_predict(const struct orr_platform *platform,
                         enum orr_belief belief, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes)
{
    if (belief == ORR_BELIEF_ROUTE)
        return predict_route(platform, orr_platform_route(platform, from, to),
                             bytes);
    return predict_measured(orr_platform_belief(platform, from, to), gpus,
                            bytes);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/bus.h"

#include <math.h>

static orr_time predict_measured(const struct orr_platform_belief *belief,
                                 unsigned gpus, uint64_t bytes)
{
    if (!(belief->bytes_per_s > 0))
        return 0;
    return orr_time_from_seconds(
        belief->latency_s + (double)bytes / belief->bytes_per_s * 2 * gpus);
}

double orr_bus_occupation(const struct orr_platform *platform,
                          const struct orr_platform_route *route, unsigned i)
{
    unsigned times = 0;

    for (unsigned j = 0; j < route->count; j++)
        times += route->links[j] == route->links[i];
    return times / platform->links[route->links[i]].bytes_per_s;
}

/* s/byte */
static double busiest(const struct orr_platform *platform,
                      const struct orr_platform_route *route)
{
    double slowest = 0;

    for (unsigned i = 0; i < route->count; i++) {
        double busy = orr_bus_occupation(platform, route, i);

        slowest = busy > slowest ? busy : slowest;
    }
    return slowest;
}

orr_time orr_bus_latency(const struct orr_platform *platform, unsigned from,
                         unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);
    orr_time latency = 0;

    for (unsigned i = 0; i < route->count; i++)
        latency =
            orr_time_add(latency, platform->links[route->links[i]].latency);
    return latency;
}

static orr_time predict_route(const struct orr_platform *platform,
                              unsigned from, unsigned to, uint64_t bytes)
{
    double busy = busiest(platform, orr_platform_route(platform, from, to));

    return orr_time_add(orr_bus_latency(platform, from, to),
                        orr_time_from_seconds((double)bytes * busy));
}

struct orr_bus_pace orr_bus_pace(const struct orr_platform *platform,
                                 unsigned from, unsigned to)
{
    const struct orr_platform_route *route =
        orr_platform_route(platform, from, to);
    struct orr_bus_pace pace = {INFINITY, INFINITY};
    struct orr_bus_pace up;
    struct orr_bus_pace down;

    if (route->count > 0) {
        pace.s_per_byte = busiest(platform, route);
        pace.latency_s =
            orr_time_to_seconds(orr_bus_latency(platform, from, to));
    } else if (from != ORR_RAM && to != ORR_RAM) {
        up = orr_bus_pace(platform, from, ORR_RAM);
        down = orr_bus_pace(platform, ORR_RAM, to);
        pace.s_per_byte = up.s_per_byte + down.s_per_byte;
        pace.latency_s = up.latency_s + down.latency_s;
    }
    return pace;
}

orr_time orr_bus_predict(const struct orr_platform *platform,
                         enum orr_belief belief, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes)
{
    if (belief == ORR_BELIEF_ROUTE)
        return predict_route(platform, from, to, bytes);
    return predict_measured(orr_platform_belief(platform, from, to), gpus,
                            bytes);
}

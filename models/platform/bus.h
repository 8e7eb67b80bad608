/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BUS_H
#define ORR_BUS_H

#include "models/platform/platform.h"

/*
 * What the runtime and its policies believe that a copy takes.
 *
 * This is a plan, not the copy: the simulated copy shares links (share.h)
 * and is usually faster. With the reference's formula and 3 GPUs, a lone copy
 * is believed to take six times its time, which keeps tasks near their data.
 */
enum orr_belief {
    ORR_BELIEF_REFERENCE, /* latency + 2 x GPUs x bytes / bandwidth */
    ORR_BELIEF_ROUTE,     /* what the idle route gives */
};

/*
 * Believed duration of a copy of @bytes from node @from to node @to, ns.
 *
 * @gpus: how many are in use (>= 1).
 *
 * Reference formula: StarPU, starpu_transfer_predict(), perfmodel_bus.c.
 * Returns 0 when nothing was measured (reference) or there is no route.
 */
orr_time orr_bus_predict(const struct orr_platform *platform,
                         enum orr_belief belief, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes);

/*
 * What a lone copy between two nodes takes, by its route or, if it has none,
 * through RAM; infinite when there is no way at all.
 */
struct orr_bus_pace {
    double s_per_byte;
    double latency_s;
};

struct orr_bus_pace orr_bus_pace(const struct orr_platform *platform,
                                 unsigned from, unsigned to);

/* Latency of the route from @from to @to, ns; 0 if there is none. */
orr_time orr_bus_latency(const struct orr_platform *platform, unsigned from,
                         unsigned to);

#endif

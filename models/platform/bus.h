/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BUS_H
#define ORR_BUS_H

#include "models/platform/platform.h"

/*
 * The duration of copies that the runtime and its policies predict.
 *
 * This is only a prediction: the simulated copy shares links (share.h) and is
 * usually faster. By StarPU's formula with 3 GPUs, the predicted time of a lone
 * copy is six times its real time, which keeps tasks near their data.
 */
enum orr_belief {
    ORR_BELIEF_REFERENCE, /* latency + 2 x GPUs x bytes / bandwidth */
    ORR_BELIEF_ROUTE,     /* the time over the route when it is idle */
};

/*
 * Predicts the duration of a copy of @bytes from node @from to node @to, in ns,
 * with @gpus (>= 1) GPUs in use. Returns 0 if the pair was not measured
 * (ORR_BELIEF_REFERENCE) or has no route (ORR_BELIEF_ROUTE).
 *
 * The reference formula is from StarPU's starpu_transfer_predict(),
 * perfmodel_bus.c.
 */
orr_time orr_bus_predict(const struct orr_platform *platform,
                         enum orr_belief belief, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes);

/*
 * The real speed of a lone copy between two nodes, over its route or, if there
 * is none, through RAM. The times are infinite if neither exists.
 */
struct orr_bus_pace {
    double s_per_byte;
    double latency_s;
};

struct orr_bus_pace orr_bus_pace(const struct orr_platform *platform,
                                 unsigned from, unsigned to);

/* Seconds for which each byte of a copy occupies link number @i of @route. */
double orr_bus_occupation(const struct orr_platform *platform,
                          const struct orr_platform_route *route, unsigned i);

/* The latency of the route from @from to @to, in ns; 0 if there is none. */
orr_time orr_bus_latency(const struct orr_platform *platform, unsigned from,
                         unsigned to);

#endif

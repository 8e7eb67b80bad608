/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRAFFIC_H
#define ORR_TRAFFIC_H

#include "apps/explain/observation.h"

/* Traffic over each link of the machine, and data copied again to each GPU
 * after an eviction. */
struct orr_link_traffic {
    const char *name; /* borrowed from the observation */
    uint64_t bytes;  /* bytes over the link; a copy that crosses it twice counts
                        twice */
    uint64_t copies; /* a copy that crosses the link twice counts twice */
    int64_t busy;    /* ns during which at least one copy used the link */
    double load;     /* @bytes divided by bandwidth and makespan */
    GArray *sharers; /* struct orr_sharer, the largest first */
};

struct orr_sharer {
    const char *route; /* "RAM-CUDA0"; borrowed */
    uint64_t bytes;
};

struct orr_traffic {
    unsigned link_count;
    struct orr_link_traffic *links; /* sorted by busy time, the longest first */
    uint64_t reloaded_bytes[ORR_MAX_NODES]; /* by memory node: bytes copied to
                                               it again after an eviction */
    uint64_t reloads[ORR_MAX_NODES];
};

/* @platform: platform of the run; @end: end of the run, ns. */
void orr_traffic_init(struct orr_traffic *traffic,
                      const struct orr_observation *seen,
                      const struct orr_platform *platform, int64_t end);
void orr_traffic_clear(struct orr_traffic *traffic);

#endif

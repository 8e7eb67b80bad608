/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRAFFIC_H
#define ORR_TRAFFIC_H

#include "apps/explain/observation.h"

/* What crossed each link of the machine, and what came back to each GPU. */
struct orr_link_traffic {
    const char *name; /* borrowed from the observation */
    uint64_t bytes;   /* a copy that crosses it twice counts twice */
    uint64_t copies;  /* one that crosses it twice counts twice */
    int64_t busy;     /* ns during which at least one copy was on its way over
                         it */
    double load;      /* @bytes over bandwidth times makespan */
    GArray *sharers;  /* struct orr_sharer, the largest first */
};

struct orr_sharer {
    const char *route; /* "RAM-CUDA0"; borrowed */
    uint64_t bytes;
};

struct orr_traffic {
    unsigned link_count;
    struct orr_link_traffic *links;         /* the longest busy first */
    uint64_t reloaded_bytes[ORR_MAX_NODES]; /* by memory node: copied to it
                                               again after an eviction */
    uint64_t reloads[ORR_MAX_NODES];
};

/* @platform: that of the run, which took until @end (ns). */
void orr_traffic_init(struct orr_traffic *traffic,
                      const struct orr_observation *seen,
                      const struct orr_platform *platform, int64_t end);
void orr_traffic_clear(struct orr_traffic *traffic);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NETWORK_H
#define ORR_NETWORK_H

#include <stdbool.h>

#include "models/base/units.h"
#include "models/cost/share.h"

/*
 * Links that copies share. Two implementations: network_shared.c computes the
 * rates of all flows when one begins or ends; lockstep/network_lazy.c does so
 * in the order and to the bit of SimGrid.
 */
struct orr_copy;
struct orr_event;
struct orr_run;

/* The penalty (inverse of the weight) of flows without latency, as in
 * SimGrid. */
#define ORR_PENALTY_WITHOUT_LATENCY 1.0

/* The route of all copies between two nodes, or by one segment. */
struct orr_route {
    struct orr_flow flow; /* without a rate */
    orr_time latency;
    double penalty_s;   /* inverse of the weight of the flow */
    double bytes_per_s; /* rate of the slowest link, which a lone copy gets */
};

/* The links of a machine, and how many routes there are over them. */
struct orr_links {
    size_t link_count;
    const double *bytes_per_s; /* rates by link */
    size_t route_count;
};

struct orr_network {
    /* Carries @copy along @route; its flow, route number and bytes_left are
     * set. Calls orr_copy_ended() at the end. */
    void (*carry)(struct orr_network *network, struct orr_copy *copy,
                  const struct orr_route *route);

    void (*free)(struct orr_network *network);
};

/* A new network for @links, without copies. Free with its free function. */
typedef struct orr_network *orr_network_maker(struct orr_run *run,
                                              const struct orr_links *links);

orr_network_maker orr_network_shared_new;

/* Whether @event, of orr_network_shared_new(), is the end of a latency, which
 * touches the links alone. */
bool orr_network_shared_is_latency(const struct orr_event *event);

#endif

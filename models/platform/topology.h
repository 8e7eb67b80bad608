/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOPOLOGY_H
#define ORR_TOPOLOGY_H

#include "models/platform/platform.h"

/*
 * How GPUs are connected, for drawings: a tree whose root is RAM, whose leaves
 * are GPUs, and whose inner nodes are shared by several GPUs, such as a switch.
 * It is derived from the routes between RAM and the GPUs: all links
 * used by the same set of GPUs are one edge of the tree, called a hop. The
 * parent of a hop is the one with the smallest larger set of GPUs, even if the
 * links of a machine do not form a tree.
 */

/* All links used by one set of GPUs, and no other GPU, on routes from and to
 * RAM. */
struct orr_hop {
    uint32_t gpus;   /* mask of their nodes, not 0 */
    unsigned parent; /* the hop towards RAM; its own number if RAM is next */
    unsigned depth;  /* 0: next to RAM */

    /* The least bandwidth of links that are used only towards the GPUs, only
       from the GPUs, and both ways; bytes/s, 0: no such link. */
    double to_bytes_per_s;
    double from_bytes_per_s;
    double both_bytes_per_s;
    char *links; /* short names: "Host; PCI:[00-07]"; may be empty */
};

struct orr_topology {
    unsigned count;
    struct orr_hop *hops; /* parents before children; siblings by first GPU */
};

/* To be freed with orr_topology_free(). */
struct orr_topology *orr_topology_new(const struct orr_platform *platform);
void orr_topology_free(struct orr_topology *topology);

/* The node of the only GPU of @hop; 0 if it has several. */
unsigned orr_hop_gpu(const struct orr_hop *hop);

#endif

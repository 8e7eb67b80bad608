/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOPOLOGY_H
#define ORR_TOPOLOGY_H

#include "models/platform/platform.h"

/*
 * How GPUs hang together, for drawings: a tree whose root is RAM, whose leaves
 * are GPUs and whose inner nodes are what several GPUs share on their way,
 * such as a switch. It follows from the routes between RAM and the GPUs: links
 * that the same GPUs use are one edge of the tree, towards RAM. Where what
 * GPUs share is no tree, an edge hangs from the smallest set of GPUs that
 * holds its own.
 */

/* The links that exactly these GPUs cross between RAM and themselves. */
struct orr_hop {
    uint32_t gpus;   /* a bit each, that of its node: never none */
    unsigned parent; /* hop towards RAM, or its own number if that is RAM */
    unsigned depth;  /* 0: from RAM */

    /* The narrowest of its links that are crossed only on the way to the
       GPUs, only on the way from them, and both ways; bytes/s, 0: none. */
    double to_bytes_per_s;
    double from_bytes_per_s;
    double both_bytes_per_s;
    char *links; /* what they are called, in short: "Host; PCI:[00-07]"; may be
                    empty */
};

struct orr_topology {
    unsigned count;
    struct orr_hop *hops; /* parents before children; siblings by first GPU */
};

/* To be freed with orr_topology_free(). */
struct orr_topology *orr_topology_new(const struct orr_platform *platform);
void orr_topology_free(struct orr_topology *topology);

/* The only GPU's node, or 0 if there are several. */
unsigned orr_hop_gpu(const struct orr_hop *hop);

#endif

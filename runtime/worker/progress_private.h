/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_PRIVATE_H
#define ORR_PROGRESS_PRIVATE_H

#include "runtime/worker/request_issue.h"
#include "runtime/worker/worker.h"

/*
 * The locals of a turn of progress, for progress.c and an interleaving in which
 * it takes operations to look at lists of requests.
 */

/* One direction of one node, with all its peers or one of them. */
struct orr_group {
    enum { ORR_GROUP_BEGIN, ORR_GROUP_ISSUED } at;
    struct orr_worker *worker;
    struct orr_line line; /* served last, or next */
    uint32_t peers;       /* a bit each */
    unsigned kept;        /* requests looked at that are still in flight */
    struct orr_issued issued;
    bool looked; /* an interleaving has, at lists of which the last is the
                    line's */
    bool *progressed;
};

/* The lists of requests of one direction of a node that an interleaving has
 * looked at: lockstep/queue_scan.h. */
struct orr_queue_scan {
    unsigned node;
    enum orr_direction direction;
    unsigned looked; /* lists, in their order there */
    bool stopped;    /* at the last of them something was posted meanwhile */
};

/*
 * A turn: the nodes that a worker drives, RAM and then its own. Each takes a
 * little time, then its incoming group, then the outgoing group of each peer.
 */
struct orr_turn {
    enum { ORR_TURN_NODE, ORR_TURN_IN, ORR_TURN_OUT } at;
    struct orr_worker *worker;
    unsigned node;
    unsigned peer;
    bool *progressed;
    bool in_group;
    struct orr_queue_scan scan;
    struct orr_group group; /* if in_group */
};

/* Turns to a group of the turn's node. */
void orr_turn_begin_group(struct orr_turn *turn, enum orr_direction direction,
                          uint32_t peers);

/* Moves on to the next group out of the node that has work, if there is one:
 * that of the peer before the turn's. */
bool orr_turn_find_outward(struct orr_turn *turn);

#endif

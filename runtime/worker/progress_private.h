/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_PRIVATE_H
#define ORR_PROGRESS_PRIVATE_H

#include "runtime/worker/request_issue.h"
#include "runtime/worker/worker.h"

/*
 * The locals of a turn of progress: for progress.c, and for an interleaving in
 * which scanning the lists of requests takes operations.
 */

/* The queues of a node in one direction, with all its peers or one. */
struct orr_group {
    enum { ORR_GROUP_BEGIN, ORR_GROUP_ISSUED } at;
    struct orr_worker *worker;
    struct orr_queue_id queue; /* the last one handled, or the next */
    uint32_t peers;            /* a bit each */
    unsigned in_flight;        /* requests checked that are still in flight */
    struct orr_issue_result result;
    bool scanned; /* an interleaving has called a scan up to a queue */
    bool *progressed;
};

/* How far an interleaving has scanned the lists of requests of a node in one
 * direction: lockstep/queue_scan.h. */
struct orr_queue_scan {
    unsigned node;
    enum orr_direction direction;
    unsigned scanned; /* lists, in the order of a scan */
    bool stopped;     /* a request was posted to the last of them meanwhile */
};

/*
 * A turn handles the nodes that a worker drives: RAM, then its own. For each
 * node a little time passes; then come the group into the node and the groups
 * out of it, one for each peer.
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

/* Begins a group of the turn's node. */
void orr_turn_begin_group(struct orr_turn *turn, enum orr_direction direction,
                          uint32_t peers);

/* Finds the next group out of the node that has work, and sets the turn's peer
 * to one more than its peer. Returns false if there is none. */
bool orr_turn_find_out(struct orr_turn *turn);

#endif

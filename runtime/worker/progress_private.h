/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_PRIVATE_H
#define ORR_PROGRESS_PRIVATE_H

#include "runtime/worker/request_issue.h"
#include "runtime/worker/worker.h"

/*
 * What turns of progress have in common, be it in a run by rounds
 * (progress_rounds.c) or another (progress.c).
 */

/* One direction of one node, with all its peers or one of them. */
struct orr_group {
    enum { ORR_GROUP_BEGIN, ORR_GROUP_ISSUED } at;
    struct orr_worker *worker;
    struct orr_line line; /* served last, or next */
    uint32_t peers;       /* a bit each */
    unsigned kept;        /* requests looked at that are still in flight */
    struct orr_issued served;
    bool *progressed;
};

/*
 * Completes the requests to or from the peer of the group's line whose copies
 * have ended; looking at a request takes the lock of its datum. Returns false
 * if there is something to wait for before going on: @lock, or, in a run by
 * rounds, the turns that telling of an end takes. By the end of them the lock
 * of the next may have been given back.
 */
bool orr_group_notice_ends(struct orr_group *group, struct orr_spinlock **lock);

/*
 * Moves the group's line on to the next, of those with one of its peers, in
 * which something may start. Idle copies start only while nothing else is in
 * flight; and what comes after a prefetch that lacks memory waits with it.
 */
bool orr_group_find_line(struct orr_group *group);

/*
 * Whether the group has something to look after: a copy has ended, or a lock
 * is taken for which it may have to wait; or its memory is not tidy.
 */
bool orr_group_has_duties(const struct orr_group *group);

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
};

/* Whether the group into the node has work. */
bool orr_turn_has_inward(const struct orr_turn *turn);

/* Moves on to the next group out of the node that has work, if there is one:
 * that of the peer before the turn's. */
bool orr_turn_find_outward(struct orr_turn *turn);

/* The node has been looked after: begins with the next, or ends the turn. */
static inline enum orr_next orr_turn_next_node(struct orr_turn *turn)
{
    if (turn->node == turn->worker->device)
        return ORR_DONE;
    turn->node = turn->worker->device;
    turn->at = ORR_TURN_NODE;
    return ORR_CONTINUE;
}

#endif

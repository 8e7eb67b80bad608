/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHARE_H
#define ORR_SHARE_H

#include <stddef.h>

/*
 * Weighted max-min fair sharing of links between flows.
 *
 * The link with the smallest quotient of capacity and total weight of its flows
 * saturates first. It fixes the rates of its flows, in proportion to their
 * weights. These rates are subtracted from the capacities of all links that the
 * flows cross, then the next link is searched (Bertsekas, Gallager, Data
 * Networks, section 6.5.2). The weight 1/latency is SimGrid's (Velho, Schnorr,
 * Casanova, Legrand, ACM TOMACS 2013).
 *
 * The solver only computes rates from flows; it has no notion of time.
 */

/* A flow and the links that it crosses; a link listed twice counts double. */
struct orr_flow {
    const unsigned *links; /* borrowed; indexes into the capacities */
    unsigned count;        /* of links; > 0 */
    double weight;         /* > 0 */
    double bytes_per_s;    /* out: its rate */
};

struct orr_share;

/*
 * A solver for @link_count links of @bytes_per_s each (copied, > 0). Free
 * with orr_share_free(). It holds scratch memory, so each run needs its own.
 */
struct orr_share *orr_share_new(size_t link_count, const double *bytes_per_s);

/* NULL is allowed. */
void orr_share_free(struct orr_share *share);

/*
 * Sets the rate of each of the @count flows. Only links that flows cross are
 * visited, so the cost depends on the flows, not on the size of the machine.
 * The same flows in the same order give the same bits.
 */
void orr_share_solve(struct orr_share *share, struct orr_flow **flows,
                     size_t count);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHARE_H
#define ORR_SHARE_H

#include <stddef.h>

/*
 * Weighted max-min fair sharing of links between flows.
 *
 * The link whose capacity, divided by the weights that press on it, is
 * smallest saturates first and fixes the rates of its flows in proportion to
 * their weights; what they take is withdrawn everywhere and the next link is
 * looked for. Bertsekas & Gallager, Data Networks, section 6.5.2; the weight
 * 1/latency is SimGrid's (Velho, Schnorr, Casanova, Legrand, ACM TOMACS 2013).
 *
 * Passive: given flows, it answers rates. It knows no time.
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
 * with orr_share_free(). Keeps scratch memory, so belongs to one run.
 */
struct orr_share *orr_share_new(size_t link_count, const double *bytes_per_s);

/* NULL is allowed. */
void orr_share_free(struct orr_share *share);

/*
 * Sets the rate of each of the @count flows. Only links that flows cross are
 * visited: the cost is that of the flows, not of the machine. Same flows in
 * the same order, same bits out.
 */
void orr_share_solve(struct orr_share *share, struct orr_flow **flows,
                     size_t count);

#endif

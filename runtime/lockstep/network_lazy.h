/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NETWORK_LAZY_H
#define ORR_NETWORK_LAZY_H

#include <stddef.h>

/*
 * The copies that are under way, in a run by rounds (turns.h): they share links
 * as in share.h, but to the bit, and in the order, of SimGrid's lazy network
 * model. (Of copies that end at one date, which one ends first decides much.)
 *
 * There, when a copy is added, gets through its latency or ends, the links of
 * its route are noted, with those that they have flows in common with. Before
 * the clock advances, noted links are shared anew, and the ends of all their
 * flows computed again: those put into the queue of events at last come last
 * of those with the same date. (SimGrid 3.32, src/kernel/resource/Model.cpp:
 * next_occurring_event_lazy(), update_actions_state_lazy(); src/kernel/lmm:
 * update_modified_cnst_set().)
 */
struct orr_copy;
struct orr_engine;
struct orr_network_lazy;

struct orr_network_lazy *orr_network_lazy_new(struct orr_engine *engine,
                                              size_t link_count,
                                              const double *bytes_per_s);
void orr_network_lazy_free(
    struct orr_network_lazy *traffic); /* NULL is allowed */

/* Carries @copy, of which the flow, the penalty and what is left are set: for
 * @latency_s it moves nothing. orr_copy_ended() is called at its end. */
void orr_network_lazy_carry(struct orr_network_lazy *traffic,
                            struct orr_copy *copy, double latency_s);

/* Before the clock advances: schedules anew the ends that have changed. */
void orr_network_lazy_settle(struct orr_network_lazy *traffic);

#endif

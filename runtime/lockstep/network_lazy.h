/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NETWORK_LAZY_H
#define ORR_NETWORK_LAZY_H

#include "runtime/executor/network.h"

/*
 * The copies that are under way, in lock-step: they share links as in share.h,
 * but to the bit, and in the order, of SimGrid's lazy network model. (Of copies
 * that end at one date, which one ends first decides much.)
 *
 * There, when a copy is added, gets through its latency or ends, the links of
 * its route are noted, with those that they have flows in common with. Before
 * the clock advances, noted links are shared anew, and the ends of all their
 * flows computed again: those put into the queue of events at last come last
 * of those with the same date. (SimGrid 3.32, src/kernel/resource/Model.cpp:
 * next_occurring_event_lazy(), update_actions_state_lazy(); src/kernel/lmm:
 * update_modified_cnst_set().)
 */
/* Its state of a copy, behind that. */
enum { ORR_NETWORK_LAZY_COPY_BYTES = 32 };

/* The member network of orr_interleaving_lockstep. */
struct orr_network *orr_network_lazy_new(struct orr_run *run,
                                         const struct orr_links *links);

#endif

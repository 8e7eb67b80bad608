/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_NETWORK_LAZY_H
#define ORR_NETWORK_LAZY_H

#include "runtime/executor/network.h"

/*
 * A network for lock-step. Copies share links as in share.h, but rates and the
 * order of ends are exactly those of SimGrid's lazy network model: the order of
 * ends at one date decides much.
 *
 * When a copy is added, its latency passes or it ends, the links of its route
 * are noted, and all links that share flows with a noted link. Before the clock
 * advances, the noted links are shared anew and the ends of all their flows
 * rescheduled; among ends at one date, the latest to be scheduled comes last.
 * (SimGrid 3.32, src/kernel/resource/Model.cpp: next_occurring_event_lazy(),
 * update_actions_state_lazy(); src/kernel/lmm: update_modified_cnst_set().)
 */

/* The size of its state of a copy, which stands behind the copy. */
enum { ORR_NETWORK_LAZY_COPY_BYTES = 32 };

/* The member network of orr_interleaving_lockstep. */
struct orr_network *orr_network_lazy_new(struct orr_run *run,
                                         const struct orr_links *links);

#endif

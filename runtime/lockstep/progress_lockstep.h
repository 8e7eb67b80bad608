/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRESS_LOCKSTEP_H
#define ORR_PROGRESS_LOCKSTEP_H

#include "runtime/worker/progress_private.h"

/* The members look and find_group of orr_interleaving_lockstep: a turn of
 * progress takes the operations of queue_scan.h. */
bool orr_progress_look(struct orr_actor *actor, struct orr_turn *turn,
                       enum orr_look_at at);
enum orr_next orr_progress_find_group(struct orr_actor *actor,
                                      struct orr_turn *turn);

#endif

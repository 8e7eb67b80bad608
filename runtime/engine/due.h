/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DUE_H
#define ORR_DUE_H

#include "runtime/engine/actor.h"

/*
 * What is due at the present date, as options of a decision: actors that were
 * woken, in that order, and then events, in the order in which they would
 * fire; and who waits for a mutex. For actor.c, where there is a decider.
 */

/*
 * Takes the woken actor that is to run next out of those woken. NULL: none is
 * left, or an event, which is now the next to fire, comes before them all.
 */
struct orr_actor *orr_due_take_woken(struct orr_engine *engine);

/* Takes the actor that gets @mutex, for which some wait, out of those. */
struct orr_actor *orr_due_take_waiter(struct orr_mutex *mutex);

/* Chooses among the events of the next date; makes that the next to fire. */
void orr_due_choose_event(struct orr_engine *engine);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ORDERS_H
#define ORR_ORDERS_H

#include "runtime/engine/decision.h"

/*
 * The operations of callers in a concurrent policy, in the order of a run, and
 * the pairs that might have come in the other order.
 *
 * Operations commute unless they are on the same object. A release of a lock
 * commutes with an acquisition, which has to wait for the release in any case,
 * but not with an attempt. An operation happens before another if it comes
 * earlier and both belong to one caller or do not commute; the relation is
 * transitive. Two operations that do not commute race if nothing else orders
 * them: only then another order may be possible, and lead to another state
 * (Flanagan, Godefroid, Dynamic partial-order reduction for model checking
 * software, POPL 2005).
 */
struct orr_orders;

struct orr_orders *orr_orders_new(void);
void orr_orders_free(struct orr_orders *orders);

/* A run begins. */
void orr_orders_clear(struct orr_orders *orders);

/*
 * @caller makes the operation @order next; the decision about it has the number
 * @decision. Returns true if it races with an earlier operation, and sets
 * *@other to the number of the decision about the latter.
 */
bool orr_orders_add(struct orr_orders *orders, unsigned caller,
                    const struct orr_order *order, guint decision,
                    guint *other);

/*
 * @caller waits until another caller has operated on @object. Its own operation
 * sleeps (sleep sets, see dfs.h), since it came next in another run. It does
 * not race with the operation that ends the wait: that other run has the two in
 * the other order.
 */
void orr_orders_sleep(struct orr_orders *orders, unsigned caller,
                      const void *object);

#endif

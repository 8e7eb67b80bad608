/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICT_GUARD_H
#define ORR_EVICT_GUARD_H

#include "sched/evict.h"
#include "sched/guard/guard.h"

/*
 * Protects the runtime from an eviction policy in a plug-in: a table that
 * passes every call on to the plug-in, under a guard (guard.h), and also
 * detects an invalid index returned by choose. Once the plug-in has failed,
 * nothing is evicted any more.
 */
struct orr_evict_guard;

/* Guards the table @ops by @calls, the guard of the plug-in. All are borrowed.
 * Free with orr_evict_guard_free(), after the policy. */
struct orr_evict_guard *orr_evict_guard_new(const struct orr_evict_ops *ops,
                                            struct orr_guard *calls);
void orr_evict_guard_free(struct orr_evict_guard *guard);

/* The table to run in place of the plug-in's. */
const struct orr_evict_ops *
orr_evict_guard_policy(const struct orr_evict_guard *guard);

#endif

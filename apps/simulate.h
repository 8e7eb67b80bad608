/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIMULATE_H
#define ORR_SIMULATE_H

#include "apps/facts.h"

/*
 * Simulates what @settings, resolved, say, but under the policy @sched, and
 * tells @trace (or NULL) about it.
 *
 * Returns the exit status that suits: with ORR_EXIT_OK, *@facts (see facts.h)
 * is set, to be freed with json_object_unref(); else @error, which must not
 * be NULL. Touches nothing shared: simulations may run in several threads.
 */
enum orr_exit orr_simulate(const struct orr_settings *settings,
                           const char *sched, struct orr_trace *trace,
                           JsonObject **facts, GError **error);

#endif

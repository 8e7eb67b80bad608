/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMMUTE_H
#define ORR_COMMUTE_H

#include "runtime/graph/graph.h"

/*
 * Commutative accesses. The graph does not order them, but only one job owns
 * the datum at a time, from when it is ready until its kernel has ended. A
 * ready job acquires its data one by one in canonical order, which is the same
 * for all jobs, so that there is no deadlock; it is pushed once it owns them
 * all (StarPU, data_concurrency.c).
 */

/* Acquires the datum of @access for its job, which is ready. Returns false if
 * another job owns it: @access waits, by priority, until
 * orr_commute_leave() returns it. */
bool orr_commute_enter(struct orr_graph *graph, struct orr_job_access *access);

/* Releases @data. Returns the waiting access that owns it now, or NULL. */
struct orr_job_access *orr_commute_leave(struct orr_graph *graph,
                                         struct orr_data *data);

#endif

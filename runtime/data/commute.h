/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMMUTE_H
#define ORR_COMMUTE_H

#include "runtime/graph/graph.h"

/*
 * Accesses that commute: they do not await one another in the graph, but only
 * one job has the datum at a time, from when it is ready until its kernel has
 * ended. A ready job takes its data one by one in their canonical order, which
 * is the same for all jobs, so that no two wait for each other; it is not
 * pushed before it has them all (StarPU, data_concurrency.c).
 */

/*
 * A job that is ready takes the datum of @access, which commutes. Returns
 * false if another has it: then @access waits, after those that are as urgent,
 * and orr_commute_leave() will return it.
 */
bool orr_commute_enter(struct orr_graph *graph, struct orr_job_access *access);

/*
 * The job that has @data leaves it. Returns the access that waited and has it
 * from now on, or NULL.
 */
struct orr_job_access *orr_commute_leave(struct orr_graph *graph,
                                         struct orr_data *data);

#endif

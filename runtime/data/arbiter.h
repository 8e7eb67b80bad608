/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ARBITER_H
#define ORR_ARBITER_H

#include "runtime/data/data.h"

/*
 * Which ready job may access a datum: several that read it, or one that writes
 * it. The order that the graph infers from accesses keeps most jobs apart, but
 * not those whose accesses commute, nor those whose accesses imply no order.
 * These claim the datum: a job whose access conflicts with those under way
 * waits, by priority. A ready job acquires its data one by one in canonical
 * order, and is pushed once it has them all (StarPU, data_concurrency.c). Data
 * with a reduction have more to it: worker/submit.h.
 */

/* Whether an access to @data, to write or not, conflicts with those of jobs
 * that hold it. */
static inline bool orr_arbiter_conflicts(const struct orr_data *data,
                                         bool writes)
{
    return data->users > 0 && (writes || data->mode == ORR_W);
}

/* Whether the job of @access, which is ready, may acquire the datum now. If
 * not, @access waits until orr_arbiter_grant_next() returns it. */
bool orr_arbiter_acquire(struct orr_graph *graph,
                         struct orr_job_access *access);

/* @access waits, whether it conflicts or not: for accesses by ORR_REDUX. */
void orr_arbiter_enqueue(struct orr_graph *graph,
                         struct orr_job_access *access);

/* The first access that waits for @data, or NULL; takes it from the list. */
static inline struct orr_job_access *
orr_arbiter_first(const struct orr_data *data)
{
    return data->requesters ? data->requesters->next->access : NULL;
}

struct orr_job_access *orr_arbiter_dequeue(struct orr_graph *graph,
                                           struct orr_data *data);

/* To be called when a job has released @data, until it returns NULL: a waiting
 * access whose job may acquire @data now. */
struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ARBITER_H
#define ORR_ARBITER_H

#include "runtime/data/data.h"

/*
 * The arbiter decides which ready jobs may access a datum: several readers, or
 * one writer (StarPU, data_concurrency.c). The dependencies in the graph keep
 * most jobs apart, but not jobs whose accesses commute or are unordered. If
 * such an access conflicts with accesses under way, it is enqueued, by
 * priority, until the datum is released. A ready job acquires its data one by
 * one in canonical order, and is pushed once it has acquired all. Data with a
 * reduction follow further rules: see worker/submit.h.
 */

/* Whether an access to @data, which writes or only reads, conflicts with the
 * jobs that hold @data. */
static inline bool orr_arbiter_conflicts(const struct orr_data *data,
                                         bool writes)
{
    return data->users > 0 && (writes || data->mode == ORR_W);
}

/* Acquires the datum of @access, whose job is ready. Returns false if the job
 * must wait; @access is then enqueued until orr_arbiter_grant_next() returns
 * it. */
bool orr_arbiter_acquire(struct orr_graph *graph,
                         struct orr_job_access *access);

/* Enqueues @access even if it does not conflict: for accesses by ORR_REDUX. */
void orr_arbiter_enqueue(struct orr_graph *graph,
                         struct orr_job_access *access);

/* orr_arbiter_first(): the first access enqueued for @data, or NULL.
 * orr_arbiter_dequeue(): removes it, which must exist, from the queue and
 * returns it. */
static inline struct orr_job_access *
orr_arbiter_first(const struct orr_data *data)
{
    return data->requesters ? data->requesters->next->access : NULL;
}

struct orr_job_access *orr_arbiter_dequeue(struct orr_graph *graph,
                                           struct orr_data *data);

/* To be called repeatedly when a job has released @data: each call dequeues and
 * returns an access whose job now acquires @data; NULL: none. */
struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data);

#endif

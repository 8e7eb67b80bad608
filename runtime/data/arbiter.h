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
 *
 * The accesses of a job that commute, to data of one arbiter of the program,
 * are a group (StarPU, data_arbiter_concurrency.c): the job acquires all of
 * them at once, after its other data, one arbiter after the other. While one of
 * them is held by another job, it waits in the queue of the first such datum,
 * before the earlier ones of its priority, and holds none of the group.
 */

/* Whether @access belongs to a group. */
static inline bool orr_arbiter_groups(const struct orr_job_access *access)
{
    return (orr_access_group(access) & ORR_COMMUTE) &&
           orr_access_data(access)->arbiter != 0;
}

/* The first access of the next group that @job has to acquire; NULL: none. */
struct orr_job_access *orr_arbiter_next_group(struct orr_job *job);

/* Acquires and holds, as orr_data_hold(), all data of the group that begins
 * with @first. Returns false if the job must wait; the group is then enqueued
 * until orr_arbiter_grant_next() returns @first: then it is held. */
bool orr_arbiter_acquire_group(struct orr_graph *graph,
                               struct orr_job_access *first);

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
 * returns an access whose job now acquires @data, or the first one of the group
 * that the job acquires; NULL: none. */
struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data);

#endif

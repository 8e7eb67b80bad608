/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/arbiter.h"

static int priority_of(const struct orr_requester *claim)
{
    return orr_access_job(claim->access)->priority;
}

/* Enqueues @requester behind all others of its priority. */
static void enqueue(struct orr_data *data, struct orr_requester *claim)
{
    struct orr_requester *last = data->requesters;
    struct orr_requester *before = last;

    if (!last) {
        claim->next = claim;
        data->requesters = claim;
        return;
    }
    if (priority_of(last) >= priority_of(claim)) {
        data->requesters = claim;
    } else {
        while (priority_of(before->next) >= priority_of(claim))
            before = before->next;
    }
    claim->next = before->next;
    before->next = claim;
}

static bool writes(const struct orr_job_access *access)
{
    return orr_access_mode(access) & ORR_W;
}

void orr_arbiter_enqueue(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_requester *claim = orr_pool_take(&graph->requesters);

    claim->access = access;
    enqueue(data, claim);
    data->arbitrated = true;
}

/* Dequeues the first requester. */
static struct orr_job_access *take_first(struct orr_graph *graph,
                                         struct orr_data *data)
{
    struct orr_requester *last = data->requesters;
    struct orr_requester *first = last->next;
    struct orr_job_access *access = first->access;

    last->next = first->next;
    if (first == last)
        data->requesters = NULL;
    orr_pool_give(&graph->requesters, first);
    return access;
}

/* ---- groups ---- */

/* The next access of the group of @first, from @access on; NULL: none. */
static struct orr_job_access *next_of_group(struct orr_job_access *first,
                                            struct orr_job_access *access)
{
    const struct orr_job *job = orr_access_job(first);
    uint32_t arbiter = orr_access_data(first)->arbiter;

    for (; access < job->accesses + job->access_count; access++) {
        if (orr_arbiter_groups(access) &&
            orr_access_data(access)->arbiter == arbiter)
            return access;
    }
    return NULL;
}

struct orr_job_access *orr_arbiter_next_group(struct orr_job *job)
{
    struct orr_job_access *next = NULL;

    for (unsigned i = 0; i < job->access_count; i++) {
        struct orr_job_access *access = &job->accesses[i];
        const struct orr_data *data = orr_access_data(access);

        if (orr_arbiter_groups(access) && data->holder != job &&
            (!next || data->arbiter < orr_access_data(next)->arbiter))
            next = access;
    }
    return next;
}

/* Enqueues the group of @first for @data, before all others of its priority. */
static void enqueue_group(struct orr_graph *graph, struct orr_data *data,
                          struct orr_job_access *first)
{
    struct orr_requester *claim = orr_pool_take(&graph->requesters);
    struct orr_requester *before = data->requesters;

    claim->access = first;
    data->arbitrated = true;
    if (!before) {
        claim->next = claim;
        data->requesters = claim;
        return;
    }
    if (priority_of(before) > priority_of(claim)) {
        data->requesters = claim; /* behind all */
    } else {
        while (priority_of(before->next) > priority_of(claim))
            before = before->next;
    }
    claim->next = before->next;
    before->next = claim;
}

bool orr_arbiter_acquire_group(struct orr_graph *graph,
                               struct orr_job_access *first)
{
    struct orr_job_access *access;

    for (access = first; access; access = next_of_group(first, access + 1)) {
        if (orr_access_data(access)->users > 0) {
            enqueue_group(graph, orr_access_data(access), first);
            return false;
        }
    }
    for (access = first; access; access = next_of_group(first, access + 1)) {
        struct orr_data *data = orr_access_data(access);

        orr_data_hold(data->store, data, ORR_W);
        data->holder = orr_access_job(first);
        data->arbitrated = true;
    }
    return true;
}

/* The first access of a group that gets @data, which is free; NULL: none.
 * Groups that do not get it are enqueued for another datum. */
static struct orr_job_access *grant_group(struct orr_graph *graph,
                                          struct orr_data *data)
{
    while (data->requesters && data->users == 0 &&
           orr_arbiter_groups(data->requesters->next->access)) {
        struct orr_job_access *first = take_first(graph, data);

        if (orr_arbiter_acquire_group(graph, first))
            return first;
    }
    return NULL;
}

/* ---- single data ---- */

bool orr_arbiter_acquire(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    bool commutes = orr_access_group(access) & ORR_COMMUTE;

    if (!(commutes && data->holder) &&
        !orr_arbiter_conflicts(data, writes(access))) {
        if (commutes) {
            data->holder = orr_access_job(access);
            data->arbitrated = true;
        }
        return true;
    }
    orr_arbiter_enqueue(graph, access);
    return false;
}

struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data)
{
    struct orr_job_access *next = NULL;

    if (data->users == 0)
        data->holder = NULL;
    next = grant_group(graph, data);
    if (next) {
        data->arbitrated = data->requesters || data->holder;
        return next;
    }
    if (data->requesters &&
        !orr_arbiter_conflicts(data, writes(data->requesters->next->access)))
        next = take_first(graph, data);
    if (next && writes(next))
        data->holder = orr_access_job(next);
    data->arbitrated = data->requesters || data->holder;
    return next;
}

struct orr_job_access *orr_arbiter_dequeue(struct orr_graph *graph,
                                           struct orr_data *data)
{
    struct orr_job_access *first = take_first(graph, data);

    data->arbitrated = data->requesters || data->holder;
    return first;
}

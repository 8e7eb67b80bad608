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

struct orr_job_access *orr_arbiter_grant_next(struct orr_graph *graph,
                                              struct orr_data *data)
{
    struct orr_job_access *next = NULL;

    if (data->users == 0)
        data->holder = NULL;
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

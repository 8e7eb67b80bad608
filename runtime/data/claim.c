/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/claim.h"

static int priority_of(const struct orr_claim *claim)
{
    return orr_access_job(claim->access)->priority;
}

/* Puts @claim behind those of its priority. */
static void enqueue(struct orr_data *data, struct orr_claim *claim)
{
    struct orr_claim *last = data->claims;
    struct orr_claim *before = last;

    if (!last) {
        claim->next = claim;
        data->claims = claim;
        return;
    }
    if (priority_of(last) >= priority_of(claim)) {
        data->claims = claim;
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

void orr_claim_list(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_claim *claim = orr_pool_take(&graph->claims);

    claim->access = access;
    enqueue(data, claim);
    data->claimed = true;
}

bool orr_claim_enter(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    bool commutes = orr_access_group(access) & ORR_COMMUTE;

    if (!(commutes && data->holder) &&
        !orr_claim_conflicts(data, writes(access))) {
        if (commutes) {
            data->holder = orr_access_job(access);
            data->claimed = true;
        }
        return true;
    }
    orr_claim_list(graph, access);
    return false;
}

/* Takes the first claim out of the list. */
static struct orr_job_access *take_first(struct orr_graph *graph,
                                         struct orr_data *data)
{
    struct orr_claim *last = data->claims;
    struct orr_claim *first = last->next;
    struct orr_job_access *access = first->access;

    last->next = first->next;
    if (first == last)
        data->claims = NULL;
    orr_pool_give(&graph->claims, first);
    return access;
}

struct orr_job_access *orr_claim_next(struct orr_graph *graph,
                                      struct orr_data *data)
{
    struct orr_job_access *next = NULL;

    if (data->users == 0)
        data->holder = NULL;
    if (data->claims &&
        !orr_claim_conflicts(data, writes(data->claims->next->access)))
        next = take_first(graph, data);
    if (next && writes(next))
        data->holder = orr_access_job(next);
    data->claimed = data->claims || data->holder;
    return next;
}

struct orr_job_access *orr_claim_take(struct orr_graph *graph,
                                      struct orr_data *data)
{
    struct orr_job_access *first = take_first(graph, data);

    data->claimed = data->claims || data->holder;
    return first;
}

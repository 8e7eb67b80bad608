/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/commute.h"

#include "runtime/data/data.h"

static int priority_of(const struct orr_commuter *commuter)
{
    return orr_access_job(commuter->access)->priority;
}

/* Puts @commuter after those that are as urgent. */
static void enqueue(struct orr_data *data, struct orr_commuter *commuter)
{
    struct orr_commuter *last = data->commuters;
    struct orr_commuter *before = last;

    if (!last) {
        commuter->next = commuter;
        data->commuters = commuter;
        return;
    }
    if (priority_of(last) >= priority_of(commuter)) {
        data->commuters = commuter;
    } else {
        while (priority_of(before->next) >= priority_of(commuter))
            before = before->next;
    }
    commuter->next = before->next;
    before->next = commuter;
}

bool orr_commute_enter(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = access->data;
    struct orr_commuter *commuter;

    if (!data->accessors.commuter) {
        data->accessors.commuter = orr_access_job(access);
        return true;
    }
    commuter = orr_pool_take(&graph->commuters);
    commuter->access = access;
    enqueue(data, commuter);
    return false;
}

struct orr_job_access *orr_commute_leave(struct orr_graph *graph,
                                         struct orr_data *data)
{
    struct orr_commuter *last = data->commuters;
    struct orr_commuter *first;
    struct orr_job_access *next;

    if (!last) {
        data->accessors.commuter = NULL;
        return NULL;
    }
    first = last->next;
    next = first->access;
    last->next = first->next;
    if (first == last)
        data->commuters = NULL;
    orr_pool_give(&graph->commuters, first);
    data->accessors.commuter = orr_access_job(next);
    return next;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/commute.h"

#include "runtime/data.h"

static int priority_of(const struct orr_commuter *commuter)
{
    return orr_access_job(commuter->access)->priority;
}

/* Puts @commuter after those that are as urgent. */
static void enqueue(struct orr_accessors *accessors,
                    struct orr_commuter *commuter)
{
    struct orr_commuter *last = accessors->commuters;
    struct orr_commuter *before = last;

    if (!last) {
        commuter->next = commuter;
        accessors->commuters = commuter;
        return;
    }
    if (priority_of(last) >= priority_of(commuter)) {
        accessors->commuters = commuter;
    } else {
        while (priority_of(before->next) >= priority_of(commuter))
            before = before->next;
    }
    commuter->next = before->next;
    before->next = commuter;
}

bool orr_commute_enter(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_accessors *accessors = &access->data->accessors;
    struct orr_commuter *commuter;

    if (!accessors->commuter) {
        accessors->commuter = orr_access_job(access);
        return true;
    }
    commuter = orr_pool_take(&graph->commuters);
    commuter->access = access;
    enqueue(accessors, commuter);
    return false;
}

struct orr_job_access *orr_commute_leave(struct orr_graph *graph,
                                         struct orr_data *data)
{
    struct orr_accessors *accessors = &data->accessors;
    struct orr_commuter *last = accessors->commuters;
    struct orr_commuter *first;
    struct orr_job_access *next;

    if (!last) {
        accessors->commuter = NULL;
        return NULL;
    }
    first = last->next;
    next = first->access;
    last->next = first->next;
    if (first == last)
        accessors->commuters = NULL;
    orr_pool_give(&graph->commuters, first);
    accessors->commuter = orr_access_job(next);
    return next;
}

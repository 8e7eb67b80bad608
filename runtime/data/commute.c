/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/data/commute.h"

#include "runtime/data/data.h"

static int priority_of(const struct orr_commute_waiter *waiter)
{
    return orr_access_job(waiter->access)->priority;
}

/* Puts @waiter behind those of its priority. */
static void enqueue(struct orr_data *data, struct orr_commute_waiter *waiter)
{
    struct orr_commute_waiter *last = data->commute_waiters;
    struct orr_commute_waiter *before = last;

    if (!last) {
        waiter->next = waiter;
        data->commute_waiters = waiter;
        return;
    }
    if (priority_of(last) >= priority_of(waiter)) {
        data->commute_waiters = waiter;
    } else {
        while (priority_of(before->next) >= priority_of(waiter))
            before = before->next;
    }
    waiter->next = before->next;
    before->next = waiter;
}

bool orr_commute_enter(struct orr_graph *graph, struct orr_job_access *access)
{
    struct orr_data *data = orr_access_data(access);
    struct orr_commute_waiter *waiter;

    if (!data->commute_owner) {
        data->commute_owner = orr_access_job(access);
        return true;
    }
    waiter = orr_pool_take(&graph->commute_waiters);
    waiter->access = access;
    enqueue(data, waiter);
    return false;
}

struct orr_job_access *orr_commute_leave(struct orr_graph *graph,
                                         struct orr_data *data)
{
    struct orr_commute_waiter *last = data->commute_waiters;
    struct orr_commute_waiter *first;
    struct orr_job_access *next;

    if (!last) {
        data->commute_owner = NULL;
        return NULL;
    }
    first = last->next;
    next = first->access;
    last->next = first->next;
    if (first == last)
        data->commute_waiters = NULL;
    orr_pool_give(&graph->commute_waiters, first);
    data->commute_owner = orr_access_job(next);
    return next;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/worker/arrival.h"

#include "runtime/run.h"

void orr_arrival_note(struct orr_run *run, struct orr_arrival *arrival)
{
    struct orr_arrival **link = &run->app.arrivals;

    while (*link)
        link = &(*link)->next;
    arrival->next = NULL;
    *link = arrival;
}

bool orr_arrivals_act(struct orr_actor *actor, struct orr_run *run)
{
    struct orr_arrival *arrival = run->app.arrivals;

    if (!arrival)
        return false;
    run->app.arrivals = arrival->next;
    arrival->act(actor, run, arrival);
    return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ARRIVAL_H
#define ORR_ARRIVAL_H

#include "runtime/engine/actor.h"

struct orr_run;

/* The data of a job have arrived, and an actor has to act. */
struct orr_arrival {
    struct orr_arrival *next;
    void (*act)(struct orr_actor *actor, struct orr_run *run,
                struct orr_arrival *arrival); /* it calls */
};

/* orr_arrival_note(): some actor will act for @arrival, which is not owned.
 * orr_arrivals_act(): if there is one, calls, on @actor; returns
 * whether it does. */
void orr_arrival_note(struct orr_run *run, struct orr_arrival *arrival);
bool orr_arrivals_act(struct orr_actor *actor, struct orr_run *run);

#endif

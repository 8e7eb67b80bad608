/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WATCHDOG_H
#define ORR_WATCHDOG_H

#include <glib.h>
#include <stdbool.h>

#include "models/base/units.h"

/*
 * Whether a run gets anywhere.
 *
 * That tasks are submitted and end is progress, and so is time that passes
 * while a kernel executes, since that will end. Between two such moments there
 * is only so much to do: each datum that is wanted somewhere is brought there,
 * in one copy or two, each dirty one is written back, and each request takes
 * the drivers a few turns of their loops. A run that does many times as much
 * is in a livelock. How long anything takes does not matter: drivers that wait
 * take no turns, and a copy that takes hours is one copy.
 *
 * A driver that never comes back to its loop takes no turns either, but it
 * sleeps again and again. So events are counted, too; a turn takes a few.
 */
struct orr_run;

/* One who looks now and then: what there was at the last look. */
struct orr_lookout {
    orr_time date;
    uint64_t copies;
    uint64_t idle; /* turns, or events, since the last copy, or time that
                      passed in one */
};

struct orr_watchdog {
    uint32_t turns; /* of drivers until the next look */
    struct orr_lookout of_turns, of_events;

    /* At the last progress: */
    uint64_t progress; /* how much there had been so far */
    orr_time date;
    uint64_t copies, bytes, evictions;
};

/* Sees to it that somebody looks. */
void orr_watchdog_begin(struct orr_run *run);

/* Of every turn of a driver: whether it is time to look. */
static inline bool orr_watchdog_is_due(struct orr_watchdog *liveness)
{
    return G_UNLIKELY(--liveness->turns == 0);
}

/* Whether @run is in a livelock, as its hang (hang.h) then says: nobody is to
 * go on. */
bool orr_watchdog_look(struct orr_run *run);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WATCHDOG_H
#define ORR_WATCHDOG_H

#include <glib.h>
#include <stdbool.h>

#include "models/base/units.h"

/*
 * Detects livelocks.
 *
 * A run progresses when a task is submitted or ends, and while time passes
 * during a kernel, which will end. Between two such moments there is a limited
 * amount of work: each requested datum takes one or two copies, each dirty one
 * a write-back, each request a few turns of the drivers' loops. A run that does
 * many times this amount is in a livelock. Durations do not matter: a waiting
 * driver makes no turns, and a copy that takes hours is one copy.
 *
 * A driver that never returns to its loop makes no turns but sleeps again and
 * again. So events are counted, too; a turn has a few events.
 */
struct orr_run;

/* The state at the last check. */
struct orr_watchdog_check {
    orr_time date;
    uint64_t copies;
    uint64_t idle; /* turns, or events, since a copy ended or time passed
                      during one */
};

struct orr_watchdog {
    struct orr_watchdog_check turn_check, event_check;
    uint64_t fired; /* events at the last check of events */

    /* At the last progress. */
    uint64_t progress; /* tasks submitted, plus tasks ended */
    orr_time date;
    uint64_t copies, bytes, evictions;
};

/* Starts the watchdog: the engine asks it after some turns of drivers, and
 * after some events, whether @run is in a livelock. If so, it sets
 * run->diagnosis.hang (hang.h), and no driver may continue. */
void orr_watchdog_begin(struct orr_run *run);

/* The bytes that all copies so far have moved. */
uint64_t orr_watchdog_bytes(const struct orr_run *run);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LIVENESS_H
#define ORR_LIVENESS_H

#include <glib.h>
#include <stdbool.h>

#include "models/units.h"

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
 */
struct orr_run;

/* All zero but for the first is how a run begins. */
struct orr_liveness {
    uint32_t turns; /* of drivers until the next look */

    /* At the last look: */
    orr_time looked;
    uint64_t copies_looked;
    uint64_t idle_turns; /* since the last copy, or time that passed in one */

    /* At the last progress: */
    uint64_t progress; /* how much there had been so far */
    orr_time date;
    uint64_t copies, bytes, evictions;
};

/* Every so many turns, somebody looks. */
#define ORR_LIVENESS_TURNS 1024u

/* Of every turn of a driver: whether it is time to look. */
static inline bool orr_liveness_is_due(struct orr_liveness *liveness)
{
    return G_UNLIKELY(--liveness->turns == 0);
}

/* Whether @run is in a livelock, as its hang (hang.h) then says: nobody is to
 * go on. */
bool orr_liveness_look(struct orr_run *run);

#endif

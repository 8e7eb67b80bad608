/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FOOTPRINT_H
#define ORR_FOOTPRINT_H

#include "runtime/engine/decision.h"
#include "runtime/engine/engine.h"

/*
 * What the steps of a run touch, for a decider that leaves out schedules that
 * are like others (dfs.h). Runs without one spend next to nothing on it: it is
 * told from where an actor is before its step, from what others see of nodes
 * and workers before and after, and from what was noted on the way
 * (engine.h: uses). A step of which no more is known touches anything, and so
 * does every one where the policy is concurrent.
 */
struct orr_footprint_state {
    enum {
        ORR_FOOTPRINT_ANYTHING,
        ORR_FOOTPRINT_IDLE,  /* a driver sees that nodes are quiet, at most, and
                               sleeps again */
        ORR_FOOTPRINT_POP,   /* it begins by asking for a task */
        ORR_FOOTPRINT_DRIVE, /* whatever else a driver does, but for the end of
                               a task */
        ORR_FOOTPRINT_SUBMIT /* the application goes on after a submission */
    } kind;
    uint64_t relied; /* idle: on these nodes */

    /* Before the step: */
    uint64_t quiet; /* nodes for which drivers find nothing to do, */
    uint64_t faces[ORR_TOUCH_WORKERS]; /* and what others see of workers */
};

extern const struct orr_footprint_source orr_footprint_source;

#endif

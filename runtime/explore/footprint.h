/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FOOTPRINT_H
#define ORR_FOOTPRINT_H

#include "runtime/engine/decision.h"
#include "runtime/engine/engine.h"

/*
 * The objects that each step of a run touches (decision.h), for a decider that
 * skips equivalent schedules (dfs.h). They follow from the procedure of the
 * actor before the step, from the visible state of nodes and workers before and
 * after, and from engine.effects; so runs without such a decider lose no time.
 * A step about which nothing more is known touches anything; so does every step
 * of a concurrent policy.
 */
struct orr_footprint_state {
    enum {
        ORR_FOOTPRINT_ANYTHING,
        ORR_FOOTPRINT_IDLE,  /* a driver finds its nodes quiet and sleeps again
                              */
        ORR_FOOTPRINT_POP,   /* a driver asks for a task */
        ORR_FOOTPRINT_DRIVE, /* a driver does anything but end a task */
        ORR_FOOTPRINT_SUBMIT /* the application submits */
    } kind;
    uint64_t relied; /* idle: nodes that the driver found quiet */

    /* Before the step. */
    uint64_t quiet; /* nodes whose drivers find nothing to do */
    uint64_t visible[ORR_TOUCH_WORKERS]; /* states of workers */
};

extern const struct orr_footprint_source orr_footprint_source;

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PAUSE_H
#define ORR_PAUSE_H

#include <glib.h>

#include "runtime/engine/actor.h"

struct orr_worker;

/* Whether the application has paused the workers of a run. */
struct orr_pause {
    unsigned depth;     /* pauses without a resumption; 0: the workers work */
    GPtrArray *stopped; /* workers that have stopped, in order; NULL: none yet
                         */
};

/* @worker stops where its loop begins, until the workers are resumed. Its
 * procedure returns the result. */
enum orr_next orr_pause_worker(struct orr_worker *worker);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STEP_LOG_H
#define ORR_STEP_LOG_H

#include <glib.h>

#include "runtime/orrery_trace.h"

/*
 * A trace that keeps the last steps of the callers of a policy, and the tasks
 * that ran meanwhile.
 */
struct orr_step {
    struct orr_trace_step told; /* its texts belong to the log */
    uint64_t moment;            /* orr_step_log.moment then */
};

struct orr_step_task {
    unsigned worker;
    int64_t started, ended; /* ns since the first submission */
    guint step;             /* number of steps before its end */
};

struct orr_step_log {
    struct orr_trace trace; /* first, so that one converts to the other */
    GArray *steps;          /* struct orr_step, in order */
    GArray *tasks;          /* struct orr_step_task, in order of their ends */
    uint64_t moment;        /* for the owner, to be changed at any time */

    /* Private. */
    GStringChunk *texts;
    GHashTable *lines; /* from code to "FILE:LINE" */
};

/* At least so many steps are kept, and at most twice as many. */
#define ORR_STEPS_KEPT 2000u

void orr_step_log_init(struct orr_step_log *log);

/* A zeroed one is allowed. */
void orr_step_log_clear(struct orr_step_log *log);

/*
 * What step @i is, a clause without a full stop: "CPU0, in pop, acquires lock
 * queue (mine.c:57)". To be freed with g_free(). The line is known while the
 * policy is loaded; if it was not compiled with -g, there is a place in its
 * file instead.
 */
char *orr_step_log_text(struct orr_step_log *log, guint i);

#endif

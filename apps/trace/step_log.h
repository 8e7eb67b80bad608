/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STEP_LOG_H
#define ORR_STEP_LOG_H

#include <glib.h>

#include "runtime/orrery_trace.h"

/*
 * A trace in memory of the last steps of the callers of a policy, and of the
 * tasks that ran meanwhile.
 */
struct orr_step {
    struct orr_trace_step event; /* its texts are owned by the log */
    uint64_t moment;             /* value of orr_step_log.moment at the step */
};

struct orr_step_task {
    unsigned worker;
    int64_t started, ended; /* ns since the first submission */
    guint step;             /* number of steps before the end of the task */
};

struct orr_step_log {
    struct orr_trace trace; /* first, so that one converts to the other */
    GArray *steps;          /* struct orr_step, in order */
    GArray *tasks;          /* struct orr_step_task, in order of their ends */
    uint64_t
        moment; /* a counter that the owner of the log may change at any time */

    /* Private. */
    GStringChunk *texts;
    GHashTable *lines; /* from code to "FILE:LINE" */
};

/* The number of steps kept is between this and twice this. */
#define ORR_STEPS_KEPT 2000u

void orr_step_log_init(struct orr_step_log *log);

/* A zeroed one is allowed. */
void orr_step_log_clear(struct orr_step_log *log);

/*
 * Describes step @i in a clause without a full stop: "CPU0, in pop, acquires
 * lock queue (mine.c:57)". To be freed with g_free(). The line is known while
 * the policy is loaded. For a policy compiled without -g, the text has an
 * offset in its file instead.
 */
char *orr_step_log_text(struct orr_step_log *log, guint i);

#endif

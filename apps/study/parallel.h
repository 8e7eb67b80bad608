/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARALLEL_H
#define ORR_PARALLEL_H

#include <glib.h>
#include <stdbool.h>

#include "apps/output/message.h"

/*
 * Jobs that need nothing of each other, one a thread, on all cores. They begin
 * in the order of their numbers, so that what is complete after a failure does
 * not depend on luck: every job before the first that failed is.
 *
 * While they are at work, a line on the standard error counts them, if that is
 * a terminal. SIGINT and SIGTERM begin no further job and let those at work
 * end, so that what is done can be reported; a second signal kills. This needs
 * the calling thread to be the only one, as far as signals go.
 */
struct orr_parallel {
    const char *command; /* that messages come from: "compare" */
    const char *noun;    /* "replicas"; what the line counts */

    /* The line, instead, in a text to be freed with g_free(); NULL: as above.
       Called by the thread that has called orr_parallel_run(). */
    char *(*describe)(void *data);

    unsigned count;
    unsigned threads; /* at most; 0: as many as there are cores */

    /*
     * Does job @i, from 0, in any thread; it may touch what is the job's own
     * and what is const. Returns whether it succeeded: if not, no further job
     * begins.
     */
    bool (*perform)(unsigned i, void *data);
    void *data;
};

/*
 * Does the jobs, and returns when none is at work. @done[i], unless NULL, says
 * whether job i was performed, with success or without.
 *
 * Returns the signal that stopped them, or 0 (they are all done, or one
 * failed).
 */
int orr_parallel_run(const struct orr_parallel *jobs, bool *done);

/* What a program stopped by @signal returns; see ORR_EXIT_SIGNAL. */
static inline enum orr_exit orr_parallel_status(int signal)
{
    return (enum orr_exit)(ORR_EXIT_SIGNAL + signal);
}

#endif

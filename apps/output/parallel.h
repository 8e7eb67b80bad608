/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PARALLEL_H
#define ORR_PARALLEL_H

#include <glib.h>
#include <stdbool.h>

#include "apps/output/message.h"
#include "apps/output/progress_line.h"

/*
 * Independent jobs, run by several threads. If the system cannot start all
 * threads there are fewer; if it can start none, the caller runs the jobs. Jobs
 * begin in the order of their numbers: after a failure, every job before the
 * first failed one is complete.
 *
 * A line shows the progress and the time left (progress_line.h). After SIGINT
 * or SIGTERM no further job begins, and running jobs are completed, so that
 * their results can be reported; a second signal kills the process. For this,
 * no other thread than the calling one may receive these signals.
 */
struct orr_parallel {
    const char *command; /* for messages: "compare" */
    const char *noun;    /* for the progress line: "replicas" */

    /* A progress line that earlier jobs have begun; NULL: begins one. */
    struct orr_progress *progress;

    /* Returns the progress line, to be freed with g_free(), and sets *@share to
       the part done, 0 to 1; NULL: the line counts jobs. Called by the thread
       that called orr_parallel_run(). */
    char *(*describe)(void *data, double *share);

    /* Called by the same thread, some 20 times a second; or NULL. */
    void (*tick)(void *data);

    /* How long job @i takes, in any unit; NULL: all take equally long. */
    double (*weight)(unsigned i, void *data);

    unsigned count;
    unsigned threads; /* at most; 0: one for each core */

    /*
     * Performs job @i, from 0, in any thread. It may write to data of this job
     * only. Returns whether it succeeded; if not, no further job begins.
     */
    bool (*perform)(unsigned i, void *data);
    void *data;
};

/*
 * Performs the jobs, and returns when none is running. Sets @done[i], unless
 * NULL, to whether job i was performed, with or without success.
 *
 * Returns the signal that stopped the jobs, or 0: all were performed, or one
 * failed.
 */
int orr_parallel_run(const struct orr_parallel *jobs, bool *done);

/* Returns the exit status after @signal; see ORR_EXIT_SIGNAL. */
static inline enum orr_exit orr_parallel_status(int signal)
{
    return (enum orr_exit)(ORR_EXIT_SIGNAL + signal);
}

#endif

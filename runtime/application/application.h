/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APPLICATION_H
#define ORR_APPLICATION_H

#include "runtime/worker/submit.h"
#include "sched/guard/guard.h"

/* The application of a run: its acquisitions, callbacks and partitions. */
struct orr_acquisition; /* runtime/application/acquire.h */
struct orr_partitions;  /* runtime/application/gather.h */
struct orr_tag;         /* runtime/graph/tags.h */

struct orr_application {
    struct orr_guard *guard; /* guard of the call of a plug-in application that
                                submits; or NULL */
    /* jobs that are submitted later, in order: by a callback that is being
     * called, or between decisions (decide.h). NULL: jobs are submitted at
     * once */
    GPtrArray *collected;
    struct orr_acquisition *acquiring; /* the acquisition for which the
                                          application waits, or NULL */
    bool checks_data; /* the state of data decides whether they may be accessed:
                         some have no content, or partitions */
    GHashTable *pending; /* acquisitions under way by job, for which the
                            application does not wait; NULL: none yet */
    struct orr_arrival *arrivals; /* what has arrived, oldest first */
    GHashTable *acquired; /* completed acquisitions by datum; NULL: none yet */
    struct orr_partitions *partitions; /* partitions by datum; NULL: none */
    const struct orr_tag *awaited; /* tag for which the application waits, or
                                      NULL */
    bool sleeps;                   /* the application sleeps: orr_run_sleep() */

    const struct orr_job_ops *const *job_ops; /* by enum orr_job_kind */
};

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APPLICATION_H
#define ORR_APPLICATION_H

#include "runtime/application/thread.h"
#include "runtime/worker/submit.h"
#include "sched/guard/guard.h"

/* The application of a run: its threads, acquisitions, callbacks and
 * partitions. */
struct orr_partitions; /* runtime/application/gather.h */

struct orr_application {
    struct orr_thread main;    /* the thread that made the run */
    struct orr_thread *thread; /* the thread that has control */
    void (*give_control)(void *data, unsigned thread); /* or NULL */
    void *give_control_data;
    struct orr_guard *guard; /* guard of the call of a plug-in application that
                                submits; or NULL */
    /* jobs that are submitted later, in order: by a callback that is being
     * called, or between decisions (decide.h). NULL: jobs are submitted at
     * once */
    GPtrArray *collected;
    bool checks_data; /* the state of data decides whether they may be accessed:
                         some have no content, or partitions */
    GHashTable *pending; /* acquisitions under way by job, for which the
                            application does not wait; NULL: none yet */
    struct orr_arrival *arrivals; /* what has arrived, oldest first */
    GHashTable *acquired; /* completed acquisitions by datum; NULL: none yet */
    struct orr_partitions *partitions; /* partitions by datum; NULL: none */
    struct orr_job *called; /* of which a function is being called; or NULL */
    bool calls_kernel;      /* that is its kernel */
    unsigned sleepers;      /* threads that wait for a date: orr_run_sleep() */

    const struct orr_job_ops *const *job_ops; /* by enum orr_job_kind */
};

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACQUIRE_H
#define ORR_ACQUIRE_H

#include "runtime/application/thread.h"
#include "runtime/data/request.h"
#include "runtime/worker/arrival.h"
#include "runtime/worker/submit.h"

/*
 * Data that the application uses itself, between tasks (StarPU,
 * user_interactions.c). A job represents the use: it waits for the tasks
 * submitted before, and tasks submitted later wait for it. The application
 * holds the datum, as a task would, from its arrival until it is released.
 *
 * Either the application waits meanwhile, or it continues: then the actor that
 * ends the last of these tasks acts for it, and the driver that completes the
 * request.
 */

/* What follows when the application has the datum. If it does not use the datum
 * itself, it is released at once. */
enum orr_purpose {
    ORR_TO_USE,
    ORR_TO_DEINITIALIZE, /* drop the content */
    ORR_TO_INVALIDATE,   /* and the buffers */
    ORR_TO_UNREGISTER
};

struct orr_acquisition {
    struct orr_arrival arrival;   /* first; if the application continues */
    struct orr_acquisition *next; /* next acquisition of the same datum */
    struct orr_data *data;
    struct orr_job *job;
    struct orr_call callback; /* called when the application has the datum */
    enum orr_access_mode mode;
    int node; /* where it has the datum; or ORR_NO_NODE, ORR_ALL_NODES */
    enum orr_purpose purpose;
    struct orr_thread *thread; /* the thread that waits, and then has the datum;
                                  NULL: none waits */
    bool ready;                /* the tasks submitted before have ended */
    bool granted;              /* the arbiter has granted the datum */
    bool complete;             /* the application has the datum */
    bool releases;             /* it is about to release it */
    struct orr_request *request; /* request that brings the datum; NULL: not
                                    needed, or not made yet */
    orr_time asked, acquired;    /* dates */
};

extern const struct orr_job_ops orr_acquiring_jobs;

/* Pins the datum of @spec on its node. If it is not there, requests it and
 * returns the request; else returns NULL. */
struct orr_request *orr_data_fetch(struct orr_run *run,
                                   const struct orr_request_spec *spec);

/* A new acquisition by @job on @node, which is under way from now on, as soon
 * as the job is submitted. If the thread that has control waits for it, it is
 * orr_thread.acquiring. */
struct orr_acquisition *orr_acquisition_begin(struct orr_run *run,
                                              struct orr_job *job, int node,
                                              enum orr_purpose purpose,
                                              bool waits);

/* The application's actor, which is idle, acts until it has the datum, sleeps
 * or waits. */
void orr_acquisition_act(struct orr_run *run);

/* Moves the acquisition under way, which is complete, to the list of
 * acquisitions that are to be released. */
void orr_acquisition_list(struct orr_run *run);

/* The newest acquisition of @data on @node in this list; ORR_ANY_NODE: on any.
 * NULL: there is none. */
struct orr_acquisition *orr_acquisition_find(const struct orr_run *run,
                                             const struct orr_data *data,
                                             int node);
#define ORR_ANY_NODE INT_MIN

/* Removes @acquisition from this list. */
void orr_acquisition_take(struct orr_run *run,
                          struct orr_acquisition *acquisition);

/* Calls, on @actor: does what @acquisition is for, releases the datum and frees
 * @acquisition. */
void orr_acquisition_release(struct orr_actor *actor, struct orr_run *run,
                             struct orr_acquisition *acquisition);

/* The acquisition by @job, or NULL: for diagnoses. */
const struct orr_acquisition *orr_acquisition_of(const struct orr_run *run,
                                                 const struct orr_job *job);

/* Frees the list and the acquisitions under way. */
void orr_acquisitions_free(struct orr_run *run);

#endif

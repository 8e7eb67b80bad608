/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACQUIRE_H
#define ORR_ACQUIRE_H

#include "runtime/data/request.h"
#include "runtime/worker/submit.h"

/*
 * Data that the application uses itself, between tasks (StarPU,
 * user_interactions.c). A job represents the use: it waits for the tasks
 * submitted before, and tasks submitted later wait for it. The application
 * holds the datum, as a task would, from its arrival in RAM until it is
 * released.
 */
struct orr_acquisition {
    struct orr_acquisition *next; /* next acquisition of the same datum */
    struct orr_data *data;
    struct orr_job *job;
    enum orr_access_mode mode;
    bool unregisters;
    bool ready;                  /* the tasks submitted before have ended */
    bool granted;                /* the arbiter has granted the datum */
    bool complete;               /* the application has the datum */
    struct orr_request *request; /* request that brings the datum; NULL: not
                                    needed, or not made yet */
    orr_time asked, acquired;    /* dates */
};

/* The application has one such job at a time: orr_application.acquiring. */
extern const struct orr_job_ops orr_acquiring_jobs;

/* Pins the datum of @spec in RAM. If it is not there, requests it and returns
 * the request; else returns NULL. */
struct orr_request *orr_data_fetch_home(struct orr_run *run,
                                        const struct orr_request_spec *spec);

/* For run.c. A new acquisition by @job, which is under way from now on, as soon
 * as the job is submitted. */
struct orr_acquisition *orr_acquisition_begin(struct orr_run *run,
                                              struct orr_job *job,
                                              bool unregisters);

/* The application's actor, which is idle, acts until it has the datum, sleeps
 * or waits. */
void orr_acquisition_act(struct orr_run *run);

/* Moves the acquisition under way, which is complete, to the list of
 * acquisitions that are to be released. */
void orr_acquisition_list(struct orr_run *run);

/* Removes an acquisition of @data from this list and returns it; NULL: there is
 * none. */
struct orr_acquisition *orr_acquisition_take(struct orr_run *run,
                                             struct orr_data *data);

/* The application's actor, which is idle, begins to release the datum, and
 * frees @acquisition. If it unregisters the datum, all copies are dropped. */
void orr_acquisition_release(struct orr_run *run,
                             struct orr_acquisition *acquisition);

/* The acquisition by @job, or NULL: for diagnoses. */
const struct orr_acquisition *orr_acquisition_of(const struct orr_run *run,
                                                 const struct orr_job *job);

/* Frees the list and the acquisition under way. */
void orr_acquisitions_free(struct orr_run *run);

#endif

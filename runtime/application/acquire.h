/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ACQUIRE_H
#define ORR_ACQUIRE_H

#include "runtime/data/request.h"

/*
 * Data that the application uses itself, between tasks (StarPU,
 * user_interactions.c). A job stands for its use: it waits for the tasks
 * before, and those after wait for it. The application holds the datum, as a
 * task would, from when it has it in RAM until it releases it.
 */
struct orr_acquisition {
    struct orr_acquisition *next; /* of the same datum */
    struct orr_data *data;
    struct orr_job *job;
    enum orr_access_mode mode;
    bool unregisters;
    bool ready;    /* the tasks before have ended, */
    bool granted;  /* and nobody holds the datum in a way that conflicts */
    bool complete; /* the application has it */
    struct orr_request *request; /* that brings it; NULL: none, or not yet */
    orr_time asked, acquired;    /* dates */
};

/* Pins the datum of @spec in RAM, and requests it, which it returns, if it is
 * not there. */
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

/* Once it is complete, it is no longer under way: it is listed until it is
 * released. */
void orr_acquisition_list(struct orr_run *run);

/* Takes an acquisition of @data from the list; NULL: there is none. */
struct orr_acquisition *orr_acquisition_take(struct orr_run *run,
                                             struct orr_data *data);

/* The application's actor, which is idle, begins to release the datum, and
 * frees @acquisition. If it unregisters the datum, all copies go. */
void orr_acquisition_release(struct orr_run *run,
                             struct orr_acquisition *acquisition);

/* The acquisition by @job, or NULL: for diagnoses. */
const struct orr_acquisition *orr_acquisition_of(const struct orr_run *run,
                                                 const struct orr_job *job);

/* Frees the list and what is under way. */
void orr_acquisitions_free(struct orr_run *run);

#endif

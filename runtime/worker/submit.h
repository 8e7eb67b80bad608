/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBMIT_H
#define ORR_SUBMIT_H

#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * The submission of a job, its push once it is ready, and its end, which
 * readies its successors. All of it takes time of the actor that does it: an
 * actor that ends a job pushes the successors that become ready, one by one.
 */
struct orr_run;

/* The application submits @job. Its actor, which is idle, acts until it sleeps
 * or has done so. */
void orr_job_submit(struct orr_run *run, struct orr_job *job);

/*
 * Hands @data over from the job that updates it by an access that commutes to
 * one that waits for it (commute.h), and calls, on @actor, the rest of the push
 * of that job. Returns false if none waits.
 */
bool orr_job_hand_over(struct orr_actor *actor, struct orr_run *run,
                       struct orr_data *data);

/* Tells the trace of the run, if it wants to know, that the number of ready
 * tasks changes by @change. */
void orr_job_tell_ready(struct orr_run *run, int change);

/* The locals of all procedures of submit.c; private, but for orr_job_end(). */
struct orr_job_frame {
    struct orr_run *run;
    struct orr_job *job;
    struct orr_job *ready; /* the job that it readies, or NULL */
    unsigned next;         /* access */
    uint8_t at;            /* WONT_..., END_... or SUBMIT_... */
    uint8_t ready_at;      /* READY_... */
    bool keeps;            /* the end of a job: the caller frees it */
};

/*
 * The procedure of the end of a job, whose work is done: its successors are
 * released, and it is freed. Another procedure may have the frame among its
 * locals, with the run and the job set and all else zero, and call this
 * function until it returns ORR_DONE; it passes on what is returned before.
 */
enum orr_next orr_job_end(struct orr_actor *actor, void *locals);

/* The procedure of a submission: for explore/footprint.c. */
enum orr_next orr_job_submission(struct orr_actor *actor, void *locals);

#endif

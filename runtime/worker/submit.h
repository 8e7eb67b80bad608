/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBMIT_H
#define ORR_SUBMIT_H

#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * The course of a job besides its execution: submission, release of its
 * dependencies, and its end, which releases others. All of it takes the time
 * of the actor in which it happens: whoever ends a job pushes the jobs that
 * this makes ready, one by one.
 */
struct orr_run;

/* Calls, on @actor, the submission of @job. */
void orr_job_submit(struct orr_actor *actor, struct orr_run *run,
                    struct orr_job *job);

/*
 * The job that has @data by an access that commutes leaves it to one of those
 * that wait for it (commute.h), and calls, on @actor, the rest of the way on
 * which that becomes ready. Returns false if nobody waits.
 */
bool orr_job_hand_over(struct orr_actor *actor, struct orr_run *run,
                       struct orr_data *data);

/*
 * Calls, on @actor, the end of @job, whose work is done: it is forgotten by
 * the data that it accessed, its successors are released, and it is freed.
 */
void orr_job_end(struct orr_actor *actor, struct orr_run *run,
                 struct orr_job *job);

/* Its procedure: for foresight.c. */
enum orr_next orr_job_submission(struct orr_actor *actor, void *locals);

#endif

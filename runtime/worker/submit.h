/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SUBMIT_H
#define ORR_SUBMIT_H

#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * The submission of a job, its push once it is ready, and its end, which
 * readies its successors. All of this takes time of the actor that does it: an
 * actor that ends a job pushes the successors that become ready, one by one.
 */
struct orr_run;
struct orr_worker;

/* The application submits @job. Its actor, which is idle, acts until it sleeps
 * or has done so. */
void orr_job_submit(struct orr_run *run, struct orr_job *job);

/*
 * A job has released @data: grants the datum to a job that waits for it
 * (arbiter.h), and calls, on @actor, the remaining part of the push of that
 * job. Returns false if no waiting job may have the datum.
 */
bool orr_job_hand_over(struct orr_actor *actor, struct orr_run *run,
                       struct orr_data *data);

/* Traces that the number of ready tasks changes by @change, if the run's trace
 * records that. */
void orr_job_trace_ready(struct orr_run *run, int change);

/* The locals of all procedures of submit.c and hints.c; private to these, but
 * for orr_job_end(). */
struct orr_job_frame {
    struct orr_run *run;
    struct orr_job *job;
    struct orr_job *ready; /* the job that it readies, or NULL */
    unsigned next;         /* access */
    uint8_t at;            /* WONT_..., END_... or SUBMIT_... */
    uint8_t ready_at;      /* READY_... */
    bool keeps;            /* at the end of a job: the caller frees the job */
    bool notifies; /* in lock-step: a successor is locked to be notified */
};

/*
 * The procedure of the end of a job, when its work is done: its successors are
 * released, and it is freed. Another procedure may have the frame among its
 * locals, with the run and the job set and all else zero, and call this
 * function until it returns ORR_DONE; it returns all other results itself.
 */
enum orr_next orr_job_end(struct orr_actor *actor, void *locals);

/* Calls @procedure with a frame of @run and @job, all else zero. */
static inline struct orr_job_frame *orr_job_call(struct orr_actor *actor,
                                                 orr_procedure *procedure,
                                                 struct orr_run *run,
                                                 struct orr_job *job)
{
    struct orr_job_frame *frame =
        orr_actor_call(actor, procedure, sizeof(*frame));

    frame->run = run;
    frame->job = job;
    return frame;
}

/* Frees @job, which has ended. */
void orr_job_free_ended(struct orr_run *run, struct orr_job *job);

/*
 * hints.c. orr_job_wont_use(): the procedure of a ready job of
 * orr_data_wont_use(). orr_job_resume_wont_use(): calls the remaining part once
 * the job has got the datum for which it waited.
 */
enum orr_next orr_job_wont_use(struct orr_actor *actor, void *locals);
void orr_job_resume_wont_use(struct orr_actor *actor, struct orr_run *run,
                             struct orr_job *job);

/*
 * acquire.c. orr_job_acquire(): the job of an acquisition is ready.
 * orr_job_resume_acquire(): it had to wait for the datum, and has got it.
 */
void orr_job_acquire(struct orr_run *run);
void orr_job_resume_acquire(struct orr_run *run);

/*
 * gather.c. The procedure of a job that brings its data to RAM, is ready and
 * holds them.
 */
enum orr_next orr_job_gather(struct orr_actor *actor, void *locals);

/*
 * callback.c. For a @job with a callback: calls, on @actor, the end of @job,
 * then the callback, then the submission of the jobs that the callback has
 * submitted.
 */
void orr_job_call_end_and_callback(struct orr_actor *actor, struct orr_run *run,
                                   struct orr_job *job);

/*
 * redux.c: data with orr_data_set_reduction().
 *
 * orr_redux_enter(): whether the job of @access, by ORR_REDUX, may add now; if
 * not, the access is enqueued as in arbiter.h. orr_redux_copy(): the copy of
 * @worker to which its tasks add. orr_redux_add(): @job has got that copy.
 * orr_redux_leave(): @job has ended.
 *
 * All other accesses find the datum held. orr_redux_admits(): whether @access
 * belongs to a task that reduces, which need not wait. When any other access
 * has been enqueued, orr_redux_begin() calls, on @actor, the submission of the
 * tasks that reduce, unless tasks still add; returns whether it calls.
 * orr_redux_next(): orr_arbiter_grant_next() for these data; may call
 * orr_redux_begin(). orr_redux_drop(): @data are unregistered: frees the
 * copies.
 */
void orr_redux_new(struct orr_run *run, struct orr_data *data,
                   struct orr_kernel *kernel,
                   const struct orr_task_times *times);
bool orr_redux_enter(struct orr_run *run, struct orr_job_access *access);
struct orr_data *orr_redux_copy(const struct orr_worker *worker,
                                const struct orr_data *data);
void orr_redux_add(const struct orr_worker *worker, const struct orr_job *job,
                   const struct orr_data *data);
void orr_redux_leave(struct orr_worker *worker, const struct orr_data *data);
bool orr_redux_admits(struct orr_run *run, struct orr_job_access *access);
bool orr_redux_begin(struct orr_actor *actor, struct orr_run *run,
                     struct orr_data *data);
void orr_redux_drop(struct orr_run *run, const struct orr_data *data);
struct orr_job_access *orr_redux_next(struct orr_actor *actor,
                                      struct orr_run *run,
                                      struct orr_data *data, bool *calls);

/* acquire.c. Drops the copies of @data on all GPUs but @kept. Each memory keeps
 * the buffer, for the next datum of the same size. */
void orr_data_drop_copies(struct orr_run *run, struct orr_data *data,
                          unsigned kept);

/* The application asks for a copy of @data on @node: its actor, which is idle,
 * acts until it sleeps or has done so. */
void orr_job_prefetch(struct orr_run *run, struct orr_data *data, unsigned node,
                      bool idle);

/* The procedure of a submission: for explore/footprint.c. */
enum orr_next orr_job_submission(struct orr_actor *actor, void *locals);

#endif

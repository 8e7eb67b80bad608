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

/*
 * What happens to the jobs of one kind. Both functions act, or call, on @actor.
 */
struct orr_job_ops {
    /* they get their data before they are ready, as tasks do, and have @granted
     * NULL; other jobs that access data get them on their own */
    bool acquires;
    /* ready at its submission, a job is not pushed: the reference submits no
     * first task then */
    bool is_immediate;

    /* @job is ready; the work of which this is the begin has to end with
     * orr_job_end(). Returns ORR_CONTINUE, or ORR_DONE if it does not call. */
    enum orr_next (*ready)(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job);
    /* @job had to wait for a datum, and has it now. */
    void (*granted)(struct orr_actor *actor, struct orr_run *run,
                    struct orr_job *job);
    /* The application releases @job, see orr_job_is_released(): calls, on
     * @actor, what follows. NULL: it awaits one release less. */
    void (*release)(struct orr_actor *actor, struct orr_run *run,
                    struct orr_job *job);
};

extern const struct orr_job_ops orr_kernel_jobs, orr_collecting_jobs,
    orr_synchronising_jobs, orr_end_jobs;

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

/* The locals of orr_job_end(), and of other procedures that need no more than
 * these. */
struct orr_job_frame {
    struct orr_run *run;
    struct orr_job *job;
    struct orr_job *ready; /* the job that it readies, or NULL */
    unsigned next;         /* access */
    uint8_t at;            /* private to the procedure; 0 at first */
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

/* Calls, on @actor, what @job does when it is ready, as it is now. */
void orr_job_call_ready(struct orr_actor *actor, struct orr_run *run,
                        struct orr_job *job);

/* callback.c. Calls, on @actor, the end of a @job that only synchronises, which
 * is ready. @may_end: it has awaited its end dependencies. */
void orr_job_call_sync_end(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job, bool may_end);

/* Calls the function that is the kernel of @job, which a driver starts. Returns
 * whether it calls. */
bool orr_job_starts_kernel(struct orr_actor *actor, struct orr_run *run,
                           struct orr_job *job);

/* callback.c. Whether @job, with an ending, has a @call; then it calls, on
 * @actor, the function, and the submission of the jobs that the function has
 * submitted. */
bool orr_job_calls(struct orr_actor *actor, struct orr_run *run,
                   struct orr_job *job, enum orr_job_call call);

/*
 * callback.c. Whether @job, with an ending, has no end dependencies left. Its
 * work was done by @actor. If not, orr_end_jobs ends it after the last of
 * them.
 */
bool orr_job_may_end(struct orr_actor *actor, struct orr_run *run,
                     struct orr_job *job);

/* callback.c. The application has released @job, see orr_job_is_released(); an
 * end dependency is released more than once maybe. Returns whether it calls, on
 * @actor. */
bool orr_job_release(struct orr_actor *actor, struct orr_run *run,
                     struct orr_job *job);

/* callback.c. Calls, on @actor, a function of the application, then the
 * submission of the jobs that it has submitted. Returns whether it calls:
 * @wanted has a function. */
bool orr_call_application(struct orr_actor *actor, struct orr_run *run,
                          const struct orr_call *wanted);

/*
 * callback.c. For a @job with a callback: calls, on @actor, the end of @job,
 * then the callback, then the submission of the jobs that the callback has
 * submitted.
 */
void orr_job_call_end_and_callback(struct orr_actor *actor, struct orr_run *run,
                                   struct orr_job *job);

/* The procedure of a submission: for explore/footprint.c. */
enum orr_next orr_job_submission(struct orr_actor *actor, void *locals);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OPERATIONS_H
#define ORR_OPERATIONS_H

#include "runtime/engine/actor.h"
#include "runtime/graph/graph.h"

/*
 * For runs by rounds alone (turns.h): the elementary operations of the
 * reference between one thing that is simulated and the next, as the acting
 * actor does them. Most take and give locks that all actors share. Counted in
 * StarPU 1.5-dev over SimGrid 3.32, in the functions named.
 */
struct orr_run;

/* The locks that all share. */
enum orr_common_lock {
    ORR_LOCK_READY,     /* how many tasks are ready (tasks.c), */
    ORR_LOCK_SUBMITTED, /* or submitted, */
    ORR_LOCK_FINISHED,  /* and whether that was all */
    ORR_LOCK_ARCHS,     /* the kinds of workers that have models */
    ORR_LOCK_STARTED,   /* kernels */
    ORR_LOCK_DRIVERS,   /* who drives which memory */
    ORR_LOCK_POLICY,    /* the queue of the policy */
    ORR_COMMON_LOCKS
};

/*
 * On the worker that acts, all data of @job have arrived: it is about to be
 * given to the device; @first: it is the first there, and its kernel starts
 * (driver_common.c: _starpu_driver_start_job()). Another has become the first.
 * Its kernel has ended (_starpu_driver_end_job(), _starpu_driver_update_job_
 * feedback()); its data have been given back (coherency.c).
 */
void orr_operations_start(struct orr_run *run, const struct orr_job *job,
                          bool first);
void orr_operations_first(struct orr_run *run);
void orr_operations_finish(struct orr_run *run);
void orr_operations_release(struct orr_run *run, const struct orr_job *job);

/* A worker asks for no task, having no room for one. */
void orr_operations_pass_over(struct orr_run *run, struct orr_mutex *state);

/* A task has become ready (sched_policy.c: _starpu_push_task()). */
void orr_operations_ready(struct orr_run *run);

/* The worker that acts has asked for all data of a task. */
void orr_operations_fetched(struct orr_run *run);

/* A successor of a task has been told that it ended; all have (jobs.c:
 * _starpu_handle_job_termination()). */
void orr_operations_told(struct orr_run *run);
void orr_operations_end(struct orr_run *run);

/* A task was submitted (task.c: _starpu_task_submit()). */
void orr_operations_submit(struct orr_run *run);

/*
 * A datum will not be used any more (user_interactions.c:
 * _starpu_data_wont_use()): the internal task that says
 * so begins; has its datum; notes another; submits it, which it does at the
 * price of a task; that one is ready; it has ended; and so has the first.
 */
void orr_operations_set_aside(struct orr_run *run);
void orr_operations_acquired(struct orr_run *run);
void orr_operations_enlist(struct orr_run *run);
void orr_operations_resubmit(struct orr_run *run);
void orr_operations_released(struct orr_run *run);
void orr_operations_written_back(struct orr_run *run);

#endif

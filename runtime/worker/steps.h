/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STEPS_H
#define ORR_STEPS_H

#include <stdbool.h>

/*
 * Traces the steps of the callers of a policy (struct orr_trace_step in
 * orrery_trace.h). If the run has no trace that records steps, these functions
 * do nothing.
 */
struct orr_run;
struct orr_actor;
struct orr_caller;
struct orr_job;

/* An operation. Messages say "CPU0, in pop, before it @verb @name". */
struct orr_operation {
    const char *verb;   /* "acquires lock" */
    const char *name;   /* "queue" */
    const void *object; /* operations on the same object do not commute */
    const void *code; /* address of the code of an access; NULL: find it in the
                         call stack */
    bool acquires;    /* a lock */
    bool releases;    /* see struct orr_order */
    bool tries;
};

/* In a concurrent policy. */

/* The call of @caller begins, or has returned. */
void orr_steps_call(const struct orr_caller *caller);
void orr_steps_return(const struct orr_caller *caller);

/* The acting caller has made @operation. */
void orr_steps_operated(struct orr_run *run,
                        const struct orr_operation *operation);

/* @caller is about to wait: "waits for lock", "queue". */
void orr_steps_wait(const struct orr_caller *caller, const char *verb,
                    const char *object);

/* @caller is preempted before the operation, or after it; then it is
 * resumed. */
void orr_steps_preempted(const struct orr_caller *caller,
                         const struct orr_operation *operation, bool after,
                         const char *until);
void orr_steps_resumed(const struct orr_caller *caller);

/* In any other policy. */

/* @actor pushes @job. */
void orr_steps_push(struct orr_run *run, const struct orr_actor *actor,
                    const struct orr_job *job);

/* A pop of worker @actor has returned @job, or nothing. */
void orr_steps_pop(struct orr_run *run, const struct orr_actor *actor,
                   const struct orr_job *job);

/* The policy has woken @worker in a call of the actor that acts. */
void orr_steps_woke(struct orr_run *run, const char *worker);

/* @actor is preempted between place and push of @job. */
void orr_steps_preempted_before_push(struct orr_run *run,
                                     const struct orr_actor *actor,
                                     const struct orr_job *job,
                                     const char *until);

#endif

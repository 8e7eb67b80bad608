/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PREEMPTION_H
#define ORR_PREEMPTION_H

#include "runtime/engine/actor.h"
#include "runtime/worker/steps.h"

/*
 * Preemption: a decider suspends an actor in the middle of a policy, so that
 * others run first. On a real machine, the operating system takes the core away
 * from a thread, for any length of time.
 *
 * In a concurrent policy this may happen at each operation that other callers
 * can observe: on a lock or a condition, a wake-up, an atomic access, an access
 * that no lock protects. In other policies calls are atomic, so it may only
 * happen between the two calls place and push.
 */
struct orr_run;
struct orr_job;

/* A preempted actor: it is resumed when a number of tasks have ended, or when
 * another actor has operated on an object. */
struct orr_preempted {
    struct orr_actor *actor;
    unsigned tasks; /* tasks that have yet to end; 0: @object counts; UINT_MAX:
                       until nothing else can happen */
    const void *object; /* the object to be operated on, or NULL */
};

/* The state of preemption in a run with a decider. */
struct orr_preemption {
    /* by worker; the last element is the application */
    struct orr_preempted *actors;
    unsigned count;
    GPtrArray *preempted; /* struct orr_preempted, in the order of preemption */
    bool suspended;       /* see orr_preemption_resume_all() */
    /* latest date at which an actor was resumed or will be */
    orr_time last_resume;
    unsigned *indices; /* scratch for a decision */
};

struct orr_preemption *orr_preemption_new(struct orr_run *run);
void orr_preemption_free(struct orr_preemption *preemption);

/*
 * To be called before and after each operation of a call: asks the run's
 * decider whether other callers operate on the object first (ORR_DECIDE_ORDER),
 * and how long the caller is preempted (ORR_DECIDE_STEP). Without a decider,
 * and outside of calls, they do nothing.
 */
void orr_preempt_before(struct orr_run *run,
                        const struct orr_operation *operation);
void orr_preempt_after(struct orr_run *run,
                       const struct orr_operation *operation);

/* As orr_preempt_before(), for an access to memory, which has no end to call
 * orr_preempt_after() at. */
void orr_preempt_access(struct orr_run *run,
                        const struct orr_operation *operation);

/* For a procedure, in a run with a decider: @actor has placed @job and pushes
 * it next. The procedure returns the result. */
enum orr_next orr_preempt_before_push(struct orr_run *run,
                                      struct orr_actor *actor,
                                      const struct orr_job *job);

/* Called when a task ends: resumes the actors preempted until then. */
void orr_preemption_task_ended(struct orr_run *run);

/* Called when nothing else can happen in @run: resumes one preempted actor,
 * chosen by the decider. Returns false if there is none. */
bool orr_preemption_resume_one(struct orr_run *run);

/*
 * orr_preemption_resume_all(): the run makes no progress, perhaps because
 * actors spin on one that is preempted. Resumes all; a real operating system
 * would schedule them eventually. Preemption for a time or for tasks is then
 * suspended until orr_preemption_progressed() is called. Returns false if it is
 * suspended already, or if there is no decider.
 */
bool orr_preemption_resume_all(struct orr_run *run);
void orr_preemption_progressed(struct orr_run *run);

#endif

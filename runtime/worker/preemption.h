/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PREEMPTION_H
#define ORR_PREEMPTION_H

#include "runtime/engine/actor.h"
#include "runtime/worker/steps.h"

/*
 * Actors that a decider holds back in a policy, so that others run first. On a
 * real machine, the operating system takes the core away from a thread, for any
 * time.
 *
 * In a concurrent policy this may happen at each operation that other callers
 * can notice: on a lock or a condition, a wake-up, an atomic access, an access
 * that no lock protects. In another policy it may happen between place and
 * push: each call ends before the next begins, but these are two calls.
 */
struct orr_run;
struct orr_job;

/* An actor that is held back: until so many tasks have ended, or another has
 * operated on an object. */
struct orr_preempted {
    struct orr_actor *actor;
    unsigned tasks;     /* UINT_MAX: all that can */
    const void *object; /* or NULL */
};

/* Of a run with a decider. */
struct orr_preemption {
    struct orr_preempted *actors; /* by worker; last, the application */
    unsigned count;
    GPtrArray *preempted; /* struct orr_preempted, first come, first */
    bool suspended;       /* see orr_preemption_resume_all() */
    orr_time last_resume; /* date at which the last one goes on, or went on */
    unsigned *indices;    /* scratch for a decision */
};

struct orr_preemption *orr_preemption_new(struct orr_run *run);
void orr_preemption_free(struct orr_preemption *preemption);

/*
 * To be called before and after each operation of a call: asks the run's
 * decider whether other callers operate on the object first (ORR_DECIDE_ORDER),
 * and how long the caller is held back (ORR_DECIDE_STEP). Without a decider,
 * and outside of calls, they do nothing.
 */
void orr_preempt_before(struct orr_run *run,
                        const struct orr_operation *operation);
void orr_preempt_after(struct orr_run *run,
                       const struct orr_operation *operation);

/* The same before an access to memory, which is an operation without an end. */
void orr_preempt_access(struct orr_run *run,
                        const struct orr_operation *operation);

/* @actor has placed @job, which it pushes next, and there is a decider: for its
 * procedure, to return from. */
enum orr_next orr_preempt_before_push(struct orr_run *run,
                                      struct orr_actor *actor,
                                      const struct orr_job *job);

/* A task has ended: those that waited for that go on. */
void orr_preemption_task_ended(struct orr_run *run);

/* Nothing else can happen in @run: one that is held back goes on. Returns false
 * if there is none. */
bool orr_preemption_resume_one(struct orr_run *run);

/*
 * The run does not progress: others may wait in a loop for one that is held
 * back, which the operating system would let go on some time. So all go on, and
 * none is held back for a time or for tasks until the run has progressed.
 * Returns false if that is so already, or if nobody can be held back.
 */
bool orr_preemption_resume_all(struct orr_run *run);
void orr_preemption_progressed(struct orr_run *run);

#endif

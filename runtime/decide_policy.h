/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DECIDE_POLICY_H
#define ORR_DECIDE_POLICY_H

#include "runtime/orrery.h"

/*
 * The policy "decide" (orrery_decide.h). A pop asks the program: it suspends
 * the coroutine in which the application submits and waits (decide.c).
 */
struct orr_coroutine;

/* The state of the policy. */
struct orr_deciding {
    struct orr_run *run;
    struct orr_coroutine *coroutine; /* NULL: all tasks are complete */
    bool is_inside;                  /* the coroutine runs */
    GPtrArray *collected;            /* jobs to submit; owned */
    guint submitted;                 /* number of these that are submitted */
    bool finished;                   /* the coroutine's wait succeeded */
    GError *error;                   /* of that wait */

    struct orr_sched_decision decision; /* @count 0: there is none */
    struct orr_task *chosen;            /* NULL: none */
    uint64_t round; /* number of tasks that were pushed or have ended, from 1 */
    bool declined;  /* a worker has got no task in this round */
};

/* Prepares @run, which is set up, if its policy is orr_sched_decide(): jobs are
 * collected from now on. */
void orr_decide_begin(struct orr_run *run);

#endif

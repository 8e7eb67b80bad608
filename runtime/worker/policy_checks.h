/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_CHECKS_H
#define ORR_POLICY_CHECKS_H

#include "models/time.h"
#include "runtime/graph/graph.h"

/*
 * Checks of a policy, if the user asks for them (options max-wait,
 * check-priorities):
 *
 * - No task waits longer than a limit while a worker that could run it sleeps.
 *   Time counts from the last date at which a decider preempted an actor, since
 *   that delay would be the operating system's fault.
 * - No worker gets a task while a more urgent task that it could run waits, if
 *   the push of the latter had returned before the pop began.
 *
 * A violation ends the run with an error that names the tasks and the worker.
 */
struct orr_run;
struct orr_policy_checks;

/* NULL if @max_wait is 0 (no limit) and @priorities is false. */
struct orr_policy_checks *
orr_policy_checks_new(struct orr_run *run, orr_time max_wait, bool priorities);
void orr_policy_checks_free(struct orr_policy_checks *checks);

/* The push of @job begins. The push of the task number @id has returned; it is
 * identified by its number, since it may have ended and its memory may be
 * reused. */
void orr_policy_checks_push_begins(struct orr_policy_checks *checks,
                                   struct orr_job *job);
void orr_policy_checks_push_ends(struct orr_policy_checks *checks, uint64_t id);

/* The pop of @worker begins; it has returned @job. */
void orr_policy_checks_pop_begins(struct orr_policy_checks *checks,
                                  unsigned worker);
void orr_policy_checks_pop_ends(struct orr_policy_checks *checks,
                                unsigned worker, struct orr_job *job);

/* @worker goes to sleep, as it got no task. */
void orr_policy_checks_sleeps(struct orr_policy_checks *checks,
                              unsigned worker);

#endif

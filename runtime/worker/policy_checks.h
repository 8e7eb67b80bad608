/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_CHECKS_H
#define ORR_POLICY_CHECKS_H

#include "models/time.h"
#include "runtime/graph/graph.h"

/*
 * What a policy has to do beside giving each task to a worker, if the user asks
 * for it (orr_config.max_wait, check_priorities):
 *
 * - No task waits longer than a limit while a worker that could run it sleeps.
 *   Time counts from the last date at which a decider held an actor back: that
 *   would be the operating system's fault.
 * - No worker gets a task while a more urgent one that it could run waits,
 *   whose push had returned before the pop began.
 *
 * What is violated ends the run with an error that names tasks and worker.
 */
struct orr_run;
struct orr_policy_checks;

/* NULL if @max_wait is 0 (no limit) and @priorities is false. */
struct orr_policy_checks *
orr_policy_checks_new(struct orr_run *run, orr_time max_wait, bool priorities);
void orr_policy_checks_free(struct orr_policy_checks *checks);

/* The runtime pushes @job; the push of the task @id has returned, which may
 * have ended since, so that its memory is that of another. */
void orr_policy_checks_push_begins(struct orr_policy_checks *checks,
                                   struct orr_job *job);
void orr_policy_checks_push_ends(struct orr_policy_checks *checks, uint64_t id);

/* @worker pops; it got @job. */
void orr_policy_checks_pop_begins(struct orr_policy_checks *checks,
                                  unsigned worker);
void orr_policy_checks_pop_ends(struct orr_policy_checks *checks,
                                unsigned worker, struct orr_job *job);

/* @worker goes to sleep, as it got no task. */
void orr_policy_checks_sleeps(struct orr_policy_checks *checks,
                              unsigned worker);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_GUARD_H
#define ORR_POLICY_GUARD_H

#include "sched/guard/guard.h"
#include "sched/host.h"

/*
 * Protects the runtime from a policy in a plug-in: a table that passes every
 * call on to the plug-in, under a guard (guard.h), and also detects these
 * errors:
 *
 *   - pop returns a task that was popped before, that the worker cannot run, or
 *     that was never pushed (any pointer is safe: it is looked up in a table);
 *   - the plug-in calls a function of sched.h with a worker or memory node that
 *     does not exist, or with a task that it does not hold.
 *
 * The error names policy, function, task and worker. The wrong result is
 * ignored, and from then on pop returns no task to any worker, so that the run
 * ends.
 */
struct orr_policy_guard;

/*
 * Guards the table @ops of the plug-in @file (or NULL), in a run whose host is
 * @host. @watch, or NULL, notices calls that do not return. The first error is
 * stored in *@error. All are borrowed; the host may be filled later. Free with
 * orr_policy_guard_free(), after the policy.
 */
struct orr_policy_guard *orr_policy_guard_new(const struct orr_sched_ops *ops,
                                              const char *file,
                                              const struct orr_sched_host *host,
                                              struct orr_guard_watch *watch,
                                              GError **error);
void orr_policy_guard_free(struct orr_policy_guard *guard);

/* The policy to run in place of the plug-in, and the host to run it with. The
 * original host has to be filled before the latter is called. */
const struct orr_sched_ops *
orr_policy_guard_policy(const struct orr_policy_guard *guard);
const struct orr_sched_host *
orr_policy_guard_host(struct orr_policy_guard *guard);

/* The guard of its calls; borrowed. */
struct orr_guard *orr_policy_guard_calls(struct orr_policy_guard *guard);

#endif

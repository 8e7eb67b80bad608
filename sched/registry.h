/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REGISTRY_H
#define ORR_REGISTRY_H

#include "sched/sched.h"

/* The built-in policies, by name. */
struct orr_queueing;

/*
 * Where @ops, if it is the table of a built-in policy, queues its tasks
 * (sched/policy/queueing.h); for all other tables, copies included, the one of
 * policies with locks of workers, or NULL, as those are not run in lock-step.
 */
const struct orr_queueing *orr_sched_queueing(const struct orr_sched_ops *ops);

/* Whether @name, as typed, begins with "heft": as in StarPU, that is an old
 * name of dmda. */
bool orr_sched_is_old_name(const char *name);

/* The built-in policy called @name, as typed (models/base/names.h), or NULL. */
const struct orr_sched_ops *orr_sched_find(const char *name);

/* Checks that the table @ops has a name and the required functions, and asks
 * for a reasonable amount of memory. Returns false with ORR_ERROR_VALUE. */
bool orr_sched_check(const struct orr_sched_ops *ops, GError **error);

/* The policy fixed, which replays a mapping and order
 * (models/import/mapping.h). It is not in the list of built-in policies, since
 * it needs a file.
 */
extern const struct orr_sched_ops orr_policy_fixed;

/* The policy to which buckets can be given. */
extern const struct orr_sched_ops orr_policy_heteroprio;

#define ORR_SCHED_FIXED "fixed:"

/* The FILE of the policy "fixed:FILE"; NULL: another policy. Borrowed. */
const char *orr_sched_file(const char *name);

/* The @i-th built-in policy, by name, or NULL past the last. */
const struct orr_sched_ops *orr_sched_builtin(size_t i);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_GUARD_PRIVATE_H
#define ORR_POLICY_GUARD_PRIVATE_H

#include "sched/guard/policy_guard.h"

struct orr_policy_guard {
    struct orr_sched_ops ops; /* first member: the table of the guard */
    struct orr_guard *calls;
    const struct orr_sched_ops *policy;
    const struct orr_sched_host *host;
    struct orr_sched_host own_host; /* the host that the plug-in calls */
    struct orr_lock_ops locks;
    GHashTable *tasks; /* all pushed: struct orr_task * -> struct entry */
};

/* Whether the plug-in holds @task, which may be any pointer. */
bool orr_policy_guard_holds(const struct orr_policy_guard *guard,
                            const struct orr_task *task);

#endif

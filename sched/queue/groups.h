/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GROUPS_H
#define ORR_GROUPS_H

#include "sched/sched.h"

/*
 * Tasks by who can run them.
 *
 * A queue that holds tasks for several workers would have to be searched for
 * one that a given worker can run. There are few kinds of tasks in this
 * respect (for CPUs, for GPUs, for both), so a policy keeps one queue for
 * each group of tasks that the same workers can run, and looks at their
 * heads.
 *
 * Groups are numbered from 0, as their first tasks come.
 */
struct orr_groups {
    unsigned workers;
    unsigned count;
    bool *runs_on; /* [group * workers + worker], and a row for scratch */
};

void orr_groups_init(struct orr_groups *groups, unsigned workers);
void orr_groups_clear(struct orr_groups *groups);

/* The group of @task, which may be a new one. */
unsigned orr_groups_find(struct orr_groups *groups,
                         const struct orr_sched *sched,
                         const struct orr_task *task);

/* Whether @worker can run the tasks of @group. */
static inline bool orr_groups_include(const struct orr_groups *groups,
                                      unsigned group, unsigned worker)
{
    return groups->runs_on[(size_t)group * groups->workers + worker];
}

#endif

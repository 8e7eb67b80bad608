/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GROUPS_H
#define ORR_GROUPS_H

#include "sched/sched.h"

/*
 * Groups of tasks that the same set of workers can run.
 *
 * A queue shared by several workers would have to be searched for a task that a
 * given worker can run. There are few different sets of workers (CPUs, GPUs,
 * both), so a policy keeps one queue for each group, and only looks at the
 * heads of these queues.
 *
 * Groups are numbered from 0, in the order of their first tasks.
 */
struct orr_groups {
    unsigned workers;
    unsigned count;
    bool *runs_on; /* [group * workers + worker] */
};

void orr_groups_init(struct orr_groups *groups, unsigned workers);
void orr_groups_clear(struct orr_groups *groups);

/* The group of @task; a new one if necessary. */
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

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/groups.h"

#include "sched/host.h"

static bool *row(const struct orr_groups *groups, unsigned group)
{
    return &groups->runs_on[(size_t)group * groups->workers];
}

void orr_groups_init(struct orr_groups *groups, unsigned workers)
{
    *groups = (struct orr_groups){.workers = workers};
}

void orr_groups_clear(struct orr_groups *groups)
{
    g_free(groups->runs_on);
    *groups = (struct orr_groups){.workers = 0};
}

static bool matches(const struct orr_groups *groups, unsigned group,
                    const orr_time *durations)
{
    const bool *runs_on = row(groups, group);

    for (unsigned w = 0; w < groups->workers; w++) {
        if (runs_on[w] != (durations[w] != ORR_NEVER))
            return false;
    }
    return true;
}

unsigned orr_groups_find(struct orr_groups *groups,
                         const struct orr_sched *sched,
                         const struct orr_task *task)
{
    const orr_time *durations = orr_sched_durations(sched, task);
    unsigned added;

    for (unsigned g = 0; g < groups->count; g++) {
        if (matches(groups, g, durations))
            return g;
    }
    added = groups->count++;
    groups->runs_on =
        g_renew(bool, groups->runs_on, (size_t)groups->count * groups->workers);
    for (unsigned w = 0; w < groups->workers; w++)
        row(groups, added)[w] = durations[w] != ORR_NEVER;
    return added;
}

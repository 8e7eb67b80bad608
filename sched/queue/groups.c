/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sched/queue/groups.h"

#include <string.h>

#include "sched/host.h"

/* The row of @group; the one after the last group is spare. */
static bool *row(const struct orr_groups *groups, unsigned group)
{
    return &groups->runs_on[(size_t)group * groups->workers];
}

static void make_room(struct orr_groups *groups)
{
    groups->runs_on = g_renew(bool, groups->runs_on,
                              ((size_t)groups->count + 1) * groups->workers);
}

void orr_groups_init(struct orr_groups *groups, unsigned workers)
{
    *groups = (struct orr_groups){.workers = workers};
    make_room(groups);
}

void orr_groups_clear(struct orr_groups *groups)
{
    g_free(groups->runs_on);
    *groups = (struct orr_groups){.workers = 0};
}

unsigned orr_groups_find(struct orr_groups *groups,
                         const struct orr_sched *sched,
                         const struct orr_task *task)
{
    const orr_time *durations = orr_sched_durations(sched, task);
    bool *wanted = row(groups, groups->count);

    for (unsigned w = 0; w < groups->workers; w++)
        wanted[w] = durations[w] != ORR_NEVER;
    for (unsigned g = 0; g < groups->count; g++) {
        if (memcmp(row(groups, g), wanted, groups->workers) == 0)
            return g;
    }
    groups->count++;
    make_room(groups);
    return groups->count - 1;
}

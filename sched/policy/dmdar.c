/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dmdar: dmda where workers pop the task that lacks the fewest bytes. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = true,
    .ready = true,
    .sorted = false,
};

static void dmdar_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dmdar = {
    .name = "dmdar",
    .summary = "dmda; workers choose the task with the least data to fetch",
    .priorities = false,
    .init = dmdar_init,
    ORR_DM_OPS,
};

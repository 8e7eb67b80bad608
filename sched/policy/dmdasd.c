/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dmdasd: dmdas that counts only work of at least the same priority when it
 * places a task. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = true,
    .ready = true,
    .sorted = true,
    .overtakes = true,
};

static void dmdasd_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dmdasd = {
    .name = "dmdasd",
    .summary = "dmdas; priorities also count for the choice of the worker",
    .priorities = true,
    .init = dmdasd_init,
    ORR_DM_OPS,
};

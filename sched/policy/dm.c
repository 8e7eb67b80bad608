/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dm: earliest predicted end, without regard to transfers. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = false,
    .ready = false,
    .sorted = false,
};

static void dm_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dm = {
    .name = "dm",
    .summary = "earliest predicted end, transfers ignored",
    .priorities = false,
    .init = dm_init,
    ORR_DM_OPS,
};

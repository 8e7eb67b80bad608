/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dmdas: dmdar with queues in order of priority. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = true,
    .ready = true,
    .sorted = true,
};

static void dmdas_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dmdas = {
    .name = "dmdas",
    .summary = "dmdar, in order of priority",
    .priorities = true,
    .init = dmdas_init,
    ORR_DM_OPS,
};

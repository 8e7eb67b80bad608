/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dmdap: dmda with queues in order of priority. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = true,
    .ready = false,
    .sorted = true,
};

static void dmdap_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dmdap = {
    .name = "dmdap",
    .summary = "dmda, in order of priority",
    .priorities = true,
    .init = dmdap_init,
    ORR_DM_OPS,
};

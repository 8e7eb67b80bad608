/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dmda: dm with transfers in its predictions. */
#include "sched/policy/dm_family.h"

static const struct orr_dm_traits traits = {
    .data_aware = true,
    .ready = false,
    .sorted = false,
};

static void dmda_init(struct orr_sched *sched)
{
    orr_dm_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_dmda = {
    .name = "dmda",
    .summary = "earliest predicted end, transfers counted",
    .priorities = false,
    .init = dmda_init,
    ORR_DM_OPS,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* modular-heft: see modular_family.h. */
#include "sched/policy/modular_family.h"

static const struct orr_modular_traits traits = {.candidates = 1};

static void modular_heft_init(struct orr_sched *sched)
{
    orr_modular_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_modular_heft = {
    .name = "modular-heft",
    .summary = "earliest predicted end, decided late: queues are short",
    .init = modular_heft_init,
    ORR_MODULAR_OPS,
};

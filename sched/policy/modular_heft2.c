/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* modular-heft2: see modular_family.h. */
#include "sched/policy/modular_family.h"

static const struct orr_modular_traits traits = {.candidates =
                                                     ORR_LATE_CANDIDATES};

static void modular_heft2_init(struct orr_sched *sched)
{
    orr_modular_init(sched, &traits);
}

const struct orr_sched_ops orr_policy_modular_heft2 = {
    .name = "modular-heft2",
    .summary = "modular-heft; of five waiting tasks the one that ends first",
    .init = modular_heft2_init,
    ORR_MODULAR_OPS,
};

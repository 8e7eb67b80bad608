/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ws: work stealing from all other workers in turn. */
#include "sched/policy/work_stealing.h"

const struct orr_sched_ops orr_policy_ws = {
    .name = "ws",
    .summary = "one queue per worker; a worker with an empty queue steals",
    .init = orr_ws_init,
    ORR_WS_OPS,
};

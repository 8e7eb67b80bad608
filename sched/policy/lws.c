/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lws: work stealing that prefers victims on the same socket. */
#include "sched/policy/work_stealing.h"

static void lws_init(struct orr_sched *sched)
{
    orr_ws_init(sched);
    orr_ws_prefer_near(sched);
}

const struct orr_sched_ops orr_policy_lws = {
    .name = "lws",
    .summary = "ws; workers steal on their own socket first",
    .init = lws_init,
    ORR_WS_OPS,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/policy.h"

struct sp_policy sp_policy;

bool sp_policy_calls(void)
{
    return sp_policy.sched &&
           (sp_policy.passive || orr_sched_in_call(sp_policy.sched));
}

int sp_policy_caller(void)
{
    unsigned worker = orr_sched_caller(sp_policy.sched);

    if (sp_policy.passive)
        return sp_policy.passive_caller;
    return worker == ORR_NO_WORKER ? -1 : (int)worker;
}

struct orr_task *sp_policy_ready(const struct starpu_task *task)
{
    return sp_policy.ready ? g_hash_table_lookup(sp_policy.ready, task) : NULL;
}

struct orr_task *sp_policy_asks(const struct starpu_task *task)
{
    return sp_policy_calls() ? sp_policy_ready(task) : NULL;
}

void sp_policy_accesses(const void *address, size_t bytes, bool writes)
{
    if (sp_policy.sched && !sp_policy.passive)
        orr_sched_record_access(sp_policy.sched, address, bytes, writes);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"

#include <starpu_sched_ctx.h>
#include <starpu_scheduler.h>

#include <limits.h>

/* The priorities that the policy knows; there is one context. A policy in
 * StarPU's interface sets them, or both are 0. */

int starpu_sched_get_max_priority(void)
{
    if (sp_policy.sched)
        return sp_policy.most;
    return sp_session.max_priority;
}

int starpu_sched_get_min_priority(void)
{
    if (sp_policy.sched)
        return sp_policy.least;
    return sp_session.max_priority == INT_MAX ? INT_MIN : 0;
}

int starpu_sched_set_max_priority(int priority)
{
    sp_policy.has_most = true;
    sp_policy.most = priority;
    return 0;
}

int starpu_sched_set_min_priority(int priority)
{
    sp_policy.has_least = true;
    sp_policy.least = priority;
    return 0;
}

int starpu_sched_ctx_get_max_priority(unsigned context)
{
    (void)context;
    return starpu_sched_get_max_priority();
}

int starpu_sched_ctx_get_min_priority(unsigned context)
{
    (void)context;
    return starpu_sched_get_min_priority();
}

int starpu_sched_ctx_set_max_priority(unsigned context, int priority)
{
    (void)context;
    return starpu_sched_set_max_priority(priority);
}

int starpu_sched_ctx_set_min_priority(unsigned context, int priority)
{
    (void)context;
    return starpu_sched_set_min_priority(priority);
}

int starpu_sched_ctx_max_priority_is_set(unsigned context)
{
    (void)context;
    return sp_policy.sched ? sp_policy.has_most : sp_session.run != NULL;
}

int starpu_sched_ctx_min_priority_is_set(unsigned context)
{
    (void)context;
    return sp_policy.sched ? sp_policy.has_least : sp_session.run != NULL;
}

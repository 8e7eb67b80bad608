/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/session.h"

#include <starpu_sched_ctx.h>
#include <starpu_scheduler.h>

#include <limits.h>

/* The priorities that the policy knows; there is one context. */

int starpu_sched_get_max_priority(void)
{
    return sp_session.max_priority;
}

int starpu_sched_get_min_priority(void)
{
    return sp_session.max_priority == INT_MAX ? INT_MIN : 0;
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

int starpu_sched_ctx_max_priority_is_set(unsigned context)
{
    (void)context;
    return sp_session.run != NULL;
}

int starpu_sched_ctx_min_priority_is_set(unsigned context)
{
    (void)context;
    return sp_session.run != NULL;
}

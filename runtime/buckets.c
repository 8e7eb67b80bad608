/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buckets that are given to the policy heteroprio. */
#include "models/base/error.h"
#include "runtime/run.h"
#include "sched/policy/bucket_plan.h"
#include "sched/registry.h"

bool orr_run_set_buckets(struct orr_run *run, const char *buckets,
                         GError **error)
{
    struct orr_bucket_plan *plan = orr_bucket_plan_parse(buckets, error);
    struct orr_policy *policy = &run->policy;

    if (!plan)
        return false;
    if (run->begun) {
        orr_bucket_plan_free(plan);
        g_set_error_literal(error, ORR_ERROR, ORR_ERROR_VALUE,
                            "tasks were submitted before");
        return false;
    }
    if (policy->buckets || policy->ops != &orr_policy_heteroprio) {
        orr_bucket_plan_free(plan);
        return true;
    }
    policy->buckets = plan;
    policy->host.buckets = plan;
    policy->pops_first = false;
    orr_sched_free(policy->sched); /* it has no task yet */
    policy->sched = orr_sched_new(policy->ops, &policy->host);
    return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICY_H
#define ORR_POLICY_H

#include "sched/guard/policy_guard.h"
#include "sched/host.h"
#include "sched/policy/queueing.h"

/* The policy of a run. */
struct orr_concurrency;   /* runtime/worker/concurrent.h */
struct orr_bucket_plan;   /* sched/policy/bucket_plan.h */
struct orr_mapping;       /* models/import/mapping.h */
struct orr_plugin;        /* sched/plugin.h */
struct orr_policy_checks; /* runtime/worker/policy_checks.h */
struct orr_preemption;    /* runtime/worker/preemption.h */

struct orr_policy {
    const struct orr_sched_ops *ops;
    struct orr_sched *sched;
    struct orr_sched_host host;
    /* in lock-step, for a policy with locks of workers: the host with answers
     * that take no turns; else NULL */
    struct orr_sched_host *plain_host;
    struct orr_sched_weights weights;
    /* how @ops queues tasks; NULL: not known */
    const struct orr_queueing *queueing;

    struct orr_plugin *plugin; /* plug-in of the policy; NULL: it is built in */
    /* guard of the policy's plug-in, or NULL */
    struct orr_policy_guard *plugin_guard;
    struct orr_guard *guard;             /* guard of its calls, or NULL */
    struct orr_concurrency *concurrency; /* NULL: the policy has no locks */
    struct orr_preemption *preemption;   /* NULL: there is no decider */
    struct orr_policy_checks *checks;    /* NULL: nothing is to be checked */

    struct orr_bucket_plan *buckets; /* given to the policy heteroprio; owned;
                                        NULL: it learns them */
    /* mapping of the policy "fixed" (fixed_mapping.h), or NULL */
    struct orr_mapping *mapping;
    struct orr_mapping *own_mapping; /* NULL: it is borrowed */
    /* uint64_t: with @mapping, numbers of the synchronising tasks so far,
     * ascending; NULL: none */
    GArray *unmapped_tasks;

    bool priorities;  /* applications set priorities, from 0 to @max_priority */
    int max_priority; /* 0: as they like */

    bool ignore_wake_calls; /* wake-ups by the policy are ignored: the push
                               itself chooses a worker to wake */
    bool prefetches;        /* the runtime prefetches for the policy:
                               orr_run_prefetches_for() */
    bool places; /* the runtime asks the policy to place before each push */
    bool passes_locks;    /* a push first waits for the locks of its data */
    bool pops_first;      /* other workers pop before a push wakes: see
                             orr_sched_ops.pushed */
    bool asked_durations; /* the policy asked for durations of kernels */
    bool asked_transfers; /* the policy asked for durations of transfers */
};

#endif

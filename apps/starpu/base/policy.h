/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_POLICY_H
#define ORR_STARPU_POLICY_H

#include <sched/sched.h>

#include <limits.h>
#include <starpu_task.h>
#include <stdbool.h>

/*
 * The policy of the session, if it is one in StarPU's interface
 * (policy/adapter.h): what the functions that it calls need to know.
 */
struct starpu_sched_policy;

struct sp_policy {
    struct orr_sched *sched; /* NULL: the policy is none in this interface */
    const struct starpu_sched_policy *policy;
    bool passive;       /* init_sched() or its like runs: nothing else does */
    int passive_caller; /* the worker for which it runs; -1: none */
    /* Tasks that are ready and have not ended: struct orr_task by struct
     * starpu_task. */
    GHashTable *ready;
    void *data;               /* starpu_sched_ctx_set_policy_data() */
    bool has_least, has_most; /* the policy has set its priorities */
    int least, most;
};

extern struct sp_policy sp_policy;

/* Whether a function of the policy runs. */
bool sp_policy_calls(void);

/* The worker that calls it; -1: the application. */
int sp_policy_caller(void);

/* The library accesses @bytes at @address, which the policy has to protect. */
void sp_policy_accesses(const void *address, size_t bytes, bool writes);

/* @task, any pointer, as policies of Orrery see it; NULL: it is not ready. */
struct orr_task *sp_policy_ready(const struct starpu_task *task);

/* As sp_policy_ready(), in a function of the policy; else NULL. */
struct orr_task *sp_policy_asks(const struct starpu_task *task);

#endif

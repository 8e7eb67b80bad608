/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/memory/memory.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/component/modular.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* The tree of each policy: an order at the root; for each memory a queue, from
 * which the task with the least missing data goes first. */
static void build(starpu_sched_component_create_t create, unsigned context)
{
    starpu_sched_component_initialize_simple_scheduler(
        create, NULL,
        STARPU_SCHED_SIMPLE_DECIDE_MEMNODES |
            STARPU_SCHED_SIMPLE_DECIDE_ALWAYS |
            STARPU_SCHED_SIMPLE_FIFOS_BELOW |
            STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY |
            STARPU_SCHED_SIMPLE_FIFOS_BELOW_EXP | STARPU_SCHED_SIMPLE_IMPL,
        context);
}

/* A variable of StarPU's policies, and its value of which the effect is what
 * is here. */
struct variable {
    const char *name, *value;
};

static const struct variable of_mst[] = {{"HMETIS", "0"}, {NULL, NULL}};
static const struct variable of_hfp[] = {
    {"BELADY", "0"},        {"FASTER_FIRST_ITERATION", "0"},
    {"HMETIS", "0"},        {"INTERLACING", "0"},
    {"MULTIGPU", "0"},      {"ORDER_U", "1"},
    {"TASK_STEALING", "0"}, {NULL, NULL}};

/* Warns of variables with other values, once. */
static void check(const char *policy, const struct variable *variables)
{
    static GHashTable *warned;
    const char *value;

    if (!warned)
        warned = g_hash_table_new(NULL, NULL);
    for (; variables->name; variables++) {
        value = getenv(variables->name);
        if (value && strcmp(value, variables->value) != 0 &&
            g_hash_table_add(warned, (gpointer)variables))
            sp_warn("policy %s: %s=%s is not heeded; dates are as with %s",
                    policy, variables->name, value, variables->value);
    }
}

static void build_mst(unsigned context)
{
    check("mst", of_mst);
    build(sp_component_mst_create, context);
}

static void build_cuthillmckee(unsigned context)
{
    build(sp_component_cuthillmckee_create, context);
}

static void build_hfp(unsigned context)
{
    check("HFP", of_hfp);
    build(sp_component_hfp_create, context);
}

#define POLICY(name, tree, ended, text)                                        \
    {                                                                          \
        .policy_name = (name), .policy_description = (text),                   \
        .init_sched = (tree), .deinit_sched = starpu_sched_tree_deinitialize,  \
        .add_workers = starpu_sched_tree_add_workers,                          \
        .remove_workers = starpu_sched_tree_remove_workers,                    \
        .do_schedule = starpu_sched_tree_do_schedule,                          \
        .push_task = starpu_sched_tree_push_task,                              \
        .pop_task = starpu_sched_tree_pop_task,                                \
        .pre_exec_hook = starpu_sched_component_worker_pre_exec_hook,          \
        .post_exec_hook = (ended), .worker_type = STARPU_WORKER_LIST           \
    }

struct starpu_sched_policy sp_memory_policies[] = {
    POLICY("mst", build_mst, starpu_sched_component_worker_post_exec_hook,
           "independent tasks along a tree of the most shared data"),
    POLICY("HFP", build_hfp, sp_hfp_ended,
           "independent tasks in packages with the most shared data"),
    POLICY("cuthillmckee", build_cuthillmckee,
           starpu_sched_component_worker_post_exec_hook,
           "independent tasks by a breadth-first walk over shared data"),
    {.policy_name = NULL},
};

struct starpu_sched_policy *sp_own_policy(unsigned i)
{
    struct starpu_sched_policy *policy = sp_modular_policies;
    for (; policy->policy_name; policy++)
        if (i-- == 0)
            return policy;
    for (policy = sp_memory_policies; policy->policy_name; policy++)
        if (i-- == 0)
            return policy;
    return NULL;
}

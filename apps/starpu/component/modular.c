/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* StarPU's own policies that are built from components. Each is a decision and
 * the flags of a simple scheduler around it (simple.c). */
#include "apps/starpu/component/modular.h"

#include "apps/starpu/component/component.h"

#include <starpu_sched_component.h>

enum {
    WORKERS = STARPU_SCHED_SIMPLE_DECIDE_WORKERS | STARPU_SCHED_SIMPLE_IMPL,
    MEMORIES = STARPU_SCHED_SIMPLE_DECIDE_MEMNODES | STARPU_SCHED_SIMPLE_IMPL,
    MODEL = STARPU_SCHED_SIMPLE_PERFMODEL,
    ABOVE = STARPU_SCHED_SIMPLE_FIFO_ABOVE,
    SORTED_ABOVE = ABOVE | STARPU_SCHED_SIMPLE_FIFO_ABOVE_PRIO,
    BELOW = STARPU_SCHED_SIMPLE_FIFOS_BELOW,
    SORTED_BELOW = BELOW | STARPU_SCHED_SIMPLE_FIFOS_BELOW_PRIO,
    READY = STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY,
    PREDICTED = STARPU_SCHED_SIMPLE_FIFOS_BELOW_EXP,
    UNLIMITED = STARPU_SCHED_SIMPLE_FIFOS_BELOW_NOLIMIT,
    /* Of the heft family. */
    WINDOW = MODEL | SORTED_ABOVE | SORTED_BELOW | READY | PREDICTED,
    /* Of the dmda family. */
    AT_ONCE = WORKERS | MODEL | BELOW | PREDICTED | UNLIMITED,
};

/* A function that builds the tree of a policy. */
#define TREE(name, component, flags)                                           \
    static void name(unsigned context)                                         \
    {                                                                          \
        starpu_sched_component_initialize_simple_scheduler(                    \
            (starpu_sched_component_create_t)                                  \
                starpu_sched_component_##component##_create,                   \
            NULL, flags, context);                                             \
    }

TREE(eager, eager, WORKERS | ABOVE)
TREE(eager_prefetching, eager, WORKERS | ABOVE | BELOW | READY)
TREE(eager_prio, eager_prio, WORKERS | SORTED_BELOW | READY)
TREE(prio_prefetching, eager, WORKERS | SORTED_ABOVE | SORTED_BELOW | READY)
TREE(random_fifo, random, WORKERS | ABOVE)
TREE(random_prio, random, WORKERS | SORTED_ABOVE)
TREE(random_prefetching, random, WORKERS | ABOVE | BELOW | READY)
TREE(random_prio_prefetching, random,
     WORKERS | SORTED_ABOVE | SORTED_BELOW | READY)
TREE(ws, work_stealing, WORKERS | STARPU_SCHED_SIMPLE_WS_BELOW)
TREE(heft, mct, WORKERS | WINDOW)
TREE(heft2, heft, WORKERS | WINDOW)
TREE(heft_prio, mct, MEMORIES | WINDOW)
TREE(heteroprio, heteroprio, WORKERS | WINDOW)
TREE(dmda, mct, AT_ONCE)
TREE(dmdap, mct, AT_ONCE | SORTED_BELOW)
TREE(dmdar, mct, AT_ONCE | READY)
TREE(dmdas, mct, AT_ONCE | SORTED_BELOW | READY)

void starpu_initialize_prio_center_policy(unsigned context)
{
    starpu_sched_component_initialize_simple_scheduler(
        starpu_sched_component_eager_create, NULL, WORKERS | SORTED_ABOVE,
        context);
}

static void gemm(unsigned context)
{
    starpu_sched_component_initialize_simple_scheduler(
        sp_component_gemm_create, NULL,
        MEMORIES | SORTED_ABOVE | SORTED_BELOW | PREDICTED, context);
}

/* The program chooses: 0 in the member sched_data of a task is heteroprio. */
static void heteroprio_heft(unsigned context)
{
    struct starpu_sched_component_heteroprio_data data = {.batch = 1};
    starpu_sched_component_initialize_simple_schedulers(
        context, 2,
        (starpu_sched_component_create_t)
            starpu_sched_component_heteroprio_create,
        &data, (unsigned)(WORKERS | BELOW | READY | PREDICTED),
        (starpu_sched_component_create_t)starpu_sched_component_heft_create,
        NULL,
        (unsigned)(WORKERS | SORTED_ABOVE | SORTED_BELOW | READY | PREDICTED));
}

#define POLICY(name, tree, text, ...)                                          \
    {                                                                          \
        .policy_name = name, .policy_description = text, .init_sched = tree,   \
        .deinit_sched = starpu_sched_tree_deinitialize,                        \
        .add_workers = starpu_sched_tree_add_workers,                          \
        .remove_workers = starpu_sched_tree_remove_workers,                    \
        .pop_task = starpu_sched_tree_pop_task,                                \
        .worker_type = STARPU_WORKER_LIST, __VA_ARGS__                         \
    }
/* Workers predict when they end. */
#define HOOKS                                                                  \
    .push_task = starpu_sched_tree_push_task,                                  \
    .pre_exec_hook = starpu_sched_component_worker_pre_exec_hook,              \
    .post_exec_hook = starpu_sched_component_worker_post_exec_hook
#define NO_HOOKS .push_task = starpu_sched_tree_push_task
#define PREFETCHES .prefetches = 1

struct starpu_sched_policy sp_modular_policies[] = {
    POLICY("modular-eager", eager, "components: the first worker that asks",
           HOOKS),
    POLICY("modular-eager-prefetching", eager_prefetching,
           "components: the first worker with room in a short queue", HOOKS,
           PREFETCHES),
    POLICY("modular-eager-prio", eager_prio,
           "components: by priority, the first worker with room", HOOKS,
           PREFETCHES),
    POLICY("modular-prio", starpu_initialize_prio_center_policy,
           "components: by priority, the first worker that asks", HOOKS),
    POLICY("modular-prio-prefetching", prio_prefetching,
           "components: by priority, short queues sorted by priority", HOOKS,
           PREFETCHES),
    POLICY("modular-random", random_fifo,
           "components: a random worker, weighted by speed", NO_HOOKS),
    POLICY("modular-random-prio", random_prio,
           "components: by priority, a random worker", NO_HOOKS),
    POLICY("modular-random-prefetching", random_prefetching,
           "components: a random worker with a short queue", NO_HOOKS),
    POLICY("modular-random-prio-prefetching", random_prio_prefetching,
           "components: by priority, a random worker with a short queue",
           NO_HOOKS, PREFETCHES),
    POLICY("modular-ws", ws, "components: work stealing",
           .push_task = starpu_sched_tree_work_stealing_push_task),
    POLICY("modular-heft", heft,
           "components: by priority, the worker that ends the task first",
           HOOKS, PREFETCHES),
    POLICY("modular-heft2", heft2,
           "components: of five tasks, the one that can end first", HOOKS,
           PREFETCHES),
    POLICY("modular-heft-prio", heft_prio,
           "components: by priority, the memory where the task ends first",
           HOOKS, PREFETCHES),
    POLICY("modular-heteroprio", heteroprio,
           "components: accelerated tasks to GPUs, others to CPUs", HOOKS,
           PREFETCHES),
    POLICY("modular-heteroprio-heft", heteroprio_heft,
           "components: the program chooses heteroprio or heft", HOOKS,
           PREFETCHES),
    POLICY("modular-dmda", dmda,
           "components: at once, the worker that ends the task first", HOOKS,
           PREFETCHES),
    POLICY("modular-dmdap", dmdap, "components: modular-dmda by priority",
           HOOKS, PREFETCHES),
    POLICY("modular-dmdar", dmdar,
           "components: modular-dmda, tasks whose data is there first", HOOKS,
           PREFETCHES),
    POLICY("modular-dmdas", dmdas,
           "components: modular-dmda by priority, data that is there first",
           HOOKS, PREFETCHES),
    POLICY("modular-gemm", gemm,
           "components: products of matrices to GPUs, others to CPUs", HOOKS,
           PREFETCHES),
    {.policy_name = NULL},
};

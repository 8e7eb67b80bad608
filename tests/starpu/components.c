/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies that are built from scheduling components, as StarPU builds its own
 * ones; and one that builds a cycle. For tests/shell/starpu-components.sh. */
#include <starpu.h>
#include <starpu_sched_component.h>
#include <starpu_scheduler.h>
#include <string.h>

#define TREE(name, component, flags)                                           \
    static void name(unsigned context)                                         \
    {                                                                          \
        starpu_sched_component_initialize_simple_scheduler(                    \
            (starpu_sched_component_create_t)                                  \
                starpu_sched_component_##component##_create,                   \
            NULL, STARPU_SCHED_SIMPLE_IMPL | (flags), context);                \
    }

#define SORTED                                                                 \
    (STARPU_SCHED_SIMPLE_FIFO_ABOVE | STARPU_SCHED_SIMPLE_FIFO_ABOVE_PRIO |    \
     STARPU_SCHED_SIMPLE_FIFOS_BELOW | STARPU_SCHED_SIMPLE_FIFOS_BELOW_PRIO |  \
     STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY |                                   \
     STARPU_SCHED_SIMPLE_FIFOS_BELOW_EXP | STARPU_SCHED_SIMPLE_PERFMODEL)

TREE(eager, eager,
     STARPU_SCHED_SIMPLE_DECIDE_WORKERS | STARPU_SCHED_SIMPLE_FIFO_ABOVE)
TREE(eager_prio, eager_prio,
     STARPU_SCHED_SIMPLE_DECIDE_WORKERS | STARPU_SCHED_SIMPLE_FIFOS_BELOW |
         STARPU_SCHED_SIMPLE_FIFOS_BELOW_PRIO |
         STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY)
TREE(random_prefetching, random,
     STARPU_SCHED_SIMPLE_DECIDE_WORKERS | STARPU_SCHED_SIMPLE_FIFO_ABOVE |
         STARPU_SCHED_SIMPLE_FIFOS_BELOW |
         STARPU_SCHED_SIMPLE_FIFOS_BELOW_READY)
TREE(ws, work_stealing,
     STARPU_SCHED_SIMPLE_DECIDE_WORKERS | STARPU_SCHED_SIMPLE_WS_BELOW)
TREE(heft2, heft, STARPU_SCHED_SIMPLE_DECIDE_WORKERS | SORTED)
TREE(heft_prio, mct, STARPU_SCHED_SIMPLE_DECIDE_MEMNODES | SORTED)
TREE(heteroprio, heteroprio, STARPU_SCHED_SIMPLE_DECIDE_WORKERS | SORTED)

static void cycle(unsigned context)
{
    struct starpu_sched_tree *tree = starpu_sched_tree_create(context);
    struct starpu_sched_component *eager, *fifo;

    eager = starpu_sched_component_eager_create(tree, NULL);
    fifo = starpu_sched_component_fifo_create(tree, NULL);
    tree->root = fifo;
    starpu_sched_component_connect(fifo, eager);
    starpu_sched_component_connect(eager, fifo);
}

#define POLICY(text, tree, push, hooks)                                        \
    {                                                                          \
        .policy_name = (text), .init_sched = (tree),                           \
        .deinit_sched = starpu_sched_tree_deinitialize,                        \
        .add_workers = starpu_sched_tree_add_workers,                          \
        .remove_workers = starpu_sched_tree_remove_workers,                    \
        .push_task = (push), .pop_task = starpu_sched_tree_pop_task,           \
        .pre_exec_hook =                                                       \
            (hooks) ? starpu_sched_component_worker_pre_exec_hook : NULL,      \
        .post_exec_hook =                                                      \
            (hooks) ? starpu_sched_component_worker_post_exec_hook : NULL,     \
        .prefetches = (hooks) > 1                                              \
    }

static struct starpu_sched_policy policies[] = {
    POLICY("eager", eager, starpu_sched_tree_push_task, 1),
    POLICY("eager-prio", eager_prio, starpu_sched_tree_push_task, 2),
    POLICY("random", random_prefetching, starpu_sched_tree_push_task, 0),
    POLICY("ws", ws, starpu_sched_tree_work_stealing_push_task, 0),
    POLICY("heft2", heft2, starpu_sched_tree_push_task, 2),
    POLICY("heft-prio", heft_prio, starpu_sched_tree_push_task, 2),
    POLICY("heteroprio", heteroprio, starpu_sched_tree_push_task, 2),
    POLICY("cycle", cycle, starpu_sched_tree_push_task, 0),
};

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
        if (strcmp(policies[i].policy_name, name) == 0)
            return &policies[i];
    return NULL;
}

#ifdef PROGRAM
/* Without sorted queues, the only priority is 0. */
int main(void)
{
    struct starpu_task *task = starpu_task_create();
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.sched_policy = starpu_get_sched_lib_policy("eager");
    if (starpu_init(&conf) != 0)
        return 1;
    starpu_codelet_nop.model = &starpu_perfmodel_nop;
    task->cl = &starpu_codelet_nop;
    task->priority = 5;
    task->detach = 0;
    task->destroy = 0;
    if (starpu_task_submit(task) != 0)
        return 1;
    printf("priority %d\n", task->priority);
    if (starpu_task_wait(task) != 0)
        return 1;
    starpu_task_destroy(task);
    starpu_shutdown();
    return 0;
}
#endif

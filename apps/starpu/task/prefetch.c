/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"

#include <starpu_data.h>
#include <starpu_scheduler.h>

/* The data that a task reads come to a memory before the task does. */

/* Prefetches are not switched off: STARPU_PREFETCH is not simulated. */
int starpu_get_prefetch_flag(void)
{
    return 1;
}

static int prefetch(struct starpu_task *task, unsigned node,
                    int (*fetch)(starpu_data_handle_t, unsigned, unsigned))
{
    sp_task_need(task, "starpu_prefetch_task_input_on_node()");
    unsigned count = task->cl ? sp_task_buffers(task) : 0;

    for (unsigned i = 0; i < count; i++) {
        enum starpu_data_access_mode mode = sp_task_mode(task, i);

        if ((mode & STARPU_R) && !(mode & (STARPU_SCRATCH | STARPU_REDUX)))
            fetch(sp_task_handle(task, i), node, 1);
    }
    return 0;
}

/* A worker of the memory @node. */
static unsigned worker_of(unsigned node)
{
    return node == STARPU_MAIN_RAM ? sp_session.workers - 1 : node - 1;
}

/* In a function of the policy. Returns whether @task is ready, so that its data
 * are fetched. */
static bool prefetch_ready(struct starpu_task *task, unsigned node)
{
    struct orr_task *ready = sp_policy_asks(task);
    if (!ready)
        return false;
    task->prefetched = 1;
    ready->priority = task->priority;
    if (node != STARPU_MAIN_RAM || sp_session.cpus > 0)
        orr_sched_prefetch(sp_policy.sched, ready, worker_of(node));
    return true;
}

int starpu_prefetch_task_input_on_node(struct starpu_task *task, unsigned node)
{
    if (prefetch_ready(task, node))
        return 0;
    return prefetch(task, node, starpu_data_prefetch_on_node);
}

int starpu_prefetch_task_input_on_node_prio(struct starpu_task *task,
                                            unsigned node, int priority)
{
    (void)priority;
    return starpu_prefetch_task_input_on_node(task, node);
}

int starpu_prefetch_task_input_for(struct starpu_task *task, unsigned worker)
{
    return starpu_prefetch_task_input_on_node(
        task, starpu_worker_get_memory_node(worker));
}

int starpu_prefetch_task_input_for_prio(struct starpu_task *task,
                                        unsigned worker, int priority)
{
    (void)priority;
    return starpu_prefetch_task_input_for(task, worker);
}

int starpu_idle_prefetch_task_input_on_node(struct starpu_task *task,
                                            unsigned node)
{
    return prefetch(task, node, starpu_data_idle_prefetch_on_node);
}

int starpu_idle_prefetch_task_input_on_node_prio(struct starpu_task *task,
                                                 unsigned node, int priority)
{
    (void)priority;
    return starpu_idle_prefetch_task_input_on_node(task, node);
}

int starpu_idle_prefetch_task_input_for(struct starpu_task *task,
                                        unsigned worker)
{
    return starpu_idle_prefetch_task_input_on_node(
        task, starpu_worker_get_memory_node(worker));
}

int starpu_idle_prefetch_task_input_for_prio(struct starpu_task *task,
                                             unsigned worker, int priority)
{
    (void)priority;
    return starpu_idle_prefetch_task_input_for(task, worker);
}

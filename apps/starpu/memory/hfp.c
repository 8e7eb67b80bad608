/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HFP: hierarchical fair packing, a package for each GPU. (Gonthier, Marchal,
 * Thibault: Memory-aware scheduling of tasks sharing data on multiple GPUs with
 * dynamic runtime systems, IPDPS 2022.)
 */
#include "apps/starpu/memory/memory.h"

#include "apps/starpu/memory/collect.h"
#include "apps/starpu/memory/packing.h"

#include <glib.h>

static unsigned gpus(void)
{
    return MAX(1, starpu_memory_nodes_get_count_by_kind(STARPU_CUDA_RAM));
}

/* The memory of worker 0 counts for all packages. */
static void pack(struct starpu_task **tasks, unsigned count, unsigned *order,
                 unsigned *ends)
{
    starpu_ssize_t memory =
        starpu_memory_get_total(starpu_worker_get_memory_node(0));
    sp_pack(tasks, count, memory < 0 ? UINT64_MAX : (uint64_t)memory, gpus(),
            order, ends);
}

struct starpu_sched_component *
sp_component_hfp_create(struct starpu_sched_tree *tree, void *params)
{
    (void)params;
    return sp_component_collect_create(tree, "HFP", pack, gpus());
}

void sp_hfp_ended(struct starpu_task *task, unsigned context)
{
    static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;
    const struct starpu_sched_tree *tree =
        starpu_sched_ctx_get_policy_data(context);
    STARPU_PTHREAD_MUTEX_LOCK(&lock);
    sp_component_collect_ended(tree->root);
    STARPU_PTHREAD_MUTEX_UNLOCK(&lock);
    /* As in StarPU, not the hook for the end. */
    starpu_sched_component_worker_pre_exec_hook(task, context);
}

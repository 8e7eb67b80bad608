/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A tree that follows the machine. The machines of Orrery have one level of
 * RAM, one socket and one cache, so there is one component of each level that
 * is wanted: machine > memory > socket > cache > CPUs. GPUs are below the
 * memory, or below a memory component of their own if classes of workers are
 * not mixed.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <starpu_task.h>

#include <glib.h>

/* A component below @above; @above itself without a recipe. */
static struct starpu_sched_component *
add_level(struct starpu_sched_tree *tree, struct starpu_sched_component *above,
          struct starpu_sched_component_composed_recipe *level)
{
    if (!level)
        return above;
    struct starpu_sched_component *component =
        starpu_sched_component_composed_component_create(tree, level);
    starpu_sched_component_connect(above, component);
    return component;
}

static void add_workers(struct starpu_sched_tree *tree,
                        struct starpu_sched_component *above,
                        enum starpu_worker_archtype type,
                        const struct starpu_sched_component_specs *specs)
{
    unsigned count = starpu_worker_get_count();
    for (unsigned w = 0; w < count; w++) {
        if (starpu_worker_get_type((int)w) != type)
            continue;
        struct starpu_sched_component_composed_recipe *own =
            specs->worker_composed_sched_component
                ? specs->worker_composed_sched_component(type)
                : NULL;
        starpu_sched_component_connect(
            add_level(tree, above, own),
            starpu_sched_component_worker_new(tree->sched_ctx_id, (int)w));
        starpu_sched_component_composed_recipe_destroy(own);
    }
}

struct starpu_sched_tree *
starpu_sched_component_make_scheduler(unsigned context,
                                      struct starpu_sched_component_specs specs)
{
    if (!specs.hwloc_machine_composed_sched_component)
        sp_fail("starpu_sched_component_make_scheduler()",
                "the machine has no component");
    struct starpu_sched_tree *tree = starpu_sched_tree_create(context);
    tree->root = starpu_sched_component_composed_component_create(
        tree, specs.hwloc_machine_composed_sched_component);
    struct starpu_sched_component_composed_recipe *memory =
        specs.hwloc_component_composed_sched_component;
    struct starpu_sched_component *of_cpus =
        add_level(tree, tree->root, memory);
    struct starpu_sched_component *of_gpus = of_cpus;
    if (!specs.mix_heterogeneous_workers &&
        starpu_worker_get_count_by_type(STARPU_CUDA_WORKER) > 0)
        of_gpus = add_level(tree, tree->root, memory);
    of_cpus =
        add_level(tree, of_cpus, specs.hwloc_socket_composed_sched_component);
    of_cpus =
        add_level(tree, of_cpus, specs.hwloc_cache_composed_sched_component);
    add_workers(tree, of_gpus, STARPU_CUDA_WORKER, &specs);
    add_workers(tree, of_cpus, STARPU_CPU_WORKER, &specs);
    starpu_sched_tree_update_workers(tree);
    return tree;
}

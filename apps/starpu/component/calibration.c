/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* eager_calibration: a task goes to the first worker with an implementation
 * that has no prediction yet. */
#include "apps/starpu/component/component.h"

#include <starpu_perfmodel.h>

#include <math.h>

static bool lacks_prediction(struct starpu_sched_component *component,
                             struct starpu_task *task, int worker,
                             unsigned nimpl)
{
    struct starpu_perfmodel_arch *arch =
        starpu_worker_get_perf_archtype(worker, component->tree->sched_ctx_id);
    return isnan(task->bundle ? starpu_task_bundle_expected_length(task->bundle,
                                                                   arch, nimpl)
                              : starpu_task_expected_length(task, arch, nimpl));
}

static struct starpu_sched_component *
child_of(struct starpu_sched_component *component, int worker)
{
    for (unsigned i = 0; i < component->nchildren; i++)
        if (starpu_bitmap_get(&component->children[i]->workers, worker))
            return component->children[i];
    return NULL;
}

int sp_calibration_push(struct starpu_sched_component *component,
                        struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    sp_component_need_able(component, task,
                           "starpu_sched_component_push_task()");
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
            if (!sp_component_can(w, task, i) ||
                !lacks_prediction(component, task, w, i))
                continue;
            struct starpu_sched_component *child = child_of(component, w);
            if (child)
                return starpu_sched_component_push_task(component, child, task);
        }
    return 1;
}

int starpu_sched_component_is_eager_calibration(
    struct starpu_sched_component *component)
{
    return component->push_task == sp_calibration_push;
}

struct starpu_sched_component *
starpu_sched_component_eager_calibration_create(struct starpu_sched_tree *tree,
                                                void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "eager_calibration");
    (void)argument;
    component->push_task = sp_calibration_push;
    return component;
}

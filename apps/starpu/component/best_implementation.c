/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* best_impl: chooses the fastest implementation of a task on its way to a
 * worker, and predicts its length and transfer. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <starpu_task.h>

#include <float.h>
#include <math.h>

/* The first implementation without a prediction is best, to get one. -1:
 * @worker cannot run @task. */
static int fastest(unsigned context, struct starpu_task *task, unsigned worker,
                   double *length)
{
    int best = -1;
    *length = DBL_MAX;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (!sp_component_can((int)worker, task, i))
            continue;
        double here =
            starpu_task_worker_expected_length(task, worker, context, i);
        if (isnan(here)) {
            *length = 0;
            return (int)i;
        }
        if (here < *length) {
            *length = here;
            best = (int)i;
        }
    }
    return best;
}

static int first(struct starpu_task *task, unsigned worker, double *length)
{
    unsigned nimpl = 0;
    if (!starpu_worker_can_execute_task_first_impl(worker, task, &nimpl))
        sp_fail("starpu_sched_component_push_task()",
                "worker %u cannot run the task that goes to it", worker);
    *length = 0;
    return (int)nimpl;
}

static bool choose(unsigned context, struct starpu_task *task, int worker)
{
    double length = 0;
    int nimpl = task->cl->model
                    ? fastest(context, task, (unsigned)worker, &length)
                    : first(task, (unsigned)worker, &length);
    if (nimpl < 0)
        return false;
    task->predicted = length;
    task->predicted_transfer =
        starpu_task_expected_data_transfer_time_for(task, (unsigned)worker);
    starpu_task_set_implementation(task, (unsigned)nimpl);
    return true;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    if (component->nchildren != 1)
        sp_fail("starpu_sched_component_push_task()",
                "component %s has %u children, not one", component->name,
                component->nchildren);
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        if (choose(component->tree->sched_ctx_id, task, w))
            break;
    return starpu_sched_component_push_task(component, component->children[0],
                                            task);
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    struct starpu_task *task =
        starpu_sched_component_parents_pull_task(component, to);
    if (task)
        choose(component->tree->sched_ctx_id, task,
               starpu_bitmap_first(&component->workers_in_ctx));
    return task;
}

struct starpu_sched_component *
starpu_sched_component_best_implementation_create(
    struct starpu_sched_tree *tree, void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "best_impl");
    (void)argument;
    component->push_task = push;
    component->pull_task = pull;
    return component;
}

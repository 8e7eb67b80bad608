/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the workers below a component can run, and how long it may take. Lengths
 * and dates are in microseconds. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <glib.h>

#include <float.h>
#include <math.h>

bool sp_component_can(int worker, struct starpu_task *task, unsigned nimpl)
{
    return starpu_worker_can_execute_task((unsigned)worker, task, nimpl);
}

int starpu_sched_component_can_execute_task(
    struct starpu_sched_component *component, struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
        for (int w = starpu_bitmap_first(workers); w >= 0;
             w = starpu_bitmap_next(workers, w))
            if (sp_component_can(w, task, i))
                return 1;
    return 0;
}

void sp_component_need_able(struct starpu_sched_component *component,
                            struct starpu_task *task, const char *call)
{
    if (starpu_sched_component_can_execute_task(component, task))
        return;
    const char *name = starpu_task_get_name(task);
    sp_fail(call, "component %s: no worker below can run the task %s",
            component->name, name ? name : "without a name");
}

static double length_on(struct starpu_sched_component *component,
                        struct starpu_task *task, int worker, unsigned nimpl)
{
    unsigned context = component->tree->sched_ctx_id;
    if (!task->bundle)
        return starpu_task_worker_expected_length(task, (unsigned)worker,
                                                  context, nimpl);
    return starpu_task_bundle_expected_length(
        task->bundle, starpu_worker_get_perf_archtype(worker, context), nimpl);
}

/* The shortest of implementations on @worker, or @best if it is shorter. NAN:
 * one of them has no prediction yet; 0: it has no model, and does not count. */
static double shorter_on(struct starpu_sched_component *component,
                         struct starpu_task *task, int worker, double best,
                         int *able)
{
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (!sp_component_can(worker, task, i))
            continue;
        *able = 1;
        double length = length_on(component, task, worker, i);
        if (isnan(length))
            return length;
        if (length > 0 && length < best)
            best = length;
    }
    return best;
}

int starpu_sched_component_execute_preds(
    struct starpu_sched_component *component, struct starpu_task *task,
    double *length)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    double best = DBL_MAX;
    int able = 0;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w)) {
        best = shorter_on(component, task, w, best, &able);
        if (isnan(best) || STARPU_SCHED_COMPONENT_IS_HOMOGENEOUS(component))
            break;
    }
    if (length)
        *length = best == DBL_MAX ? 0 : best;
    return able;
}

static double transfer_to(unsigned node, struct starpu_task *task)
{
    return task->bundle ? starpu_task_bundle_expected_data_transfer_time(
                              task->bundle, node)
                        : starpu_task_expected_data_transfer_time(node, task);
}

double
starpu_sched_component_transfer_length(struct starpu_sched_component *component,
                                       struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    int first = starpu_bitmap_first(workers);
    double sum = 0;
    if (STARPU_SCHED_COMPONENT_IS_SINGLE_MEMORY_NODE(component))
        return transfer_to(starpu_worker_get_memory_node((unsigned)first),
                           task);
    for (int w = first; w >= 0; w = starpu_bitmap_next(workers, w))
        sum += transfer_to(starpu_worker_get_memory_node((unsigned)w), task);
    return sum / starpu_bitmap_cardinal(workers);
}

void starpu_sched_component_prefetch_on_node(
    struct starpu_sched_component *component, struct starpu_task *task)
{
    if (!starpu_get_prefetch_flag() || task->prefetched ||
        !STARPU_SCHED_COMPONENT_IS_SINGLE_MEMORY_NODE(component))
        return;
    int worker = starpu_bitmap_first(&component->workers_in_ctx);
    starpu_prefetch_task_input_on_node(
        task, starpu_worker_get_memory_node((unsigned)worker));
}

double
starpu_sched_component_estimated_load(struct starpu_sched_component *component)
{
    double sum = 0;
    for (unsigned i = 0; i < component->nchildren; i++)
        sum += component->children[i]->estimated_load(component->children[i]);
    return sum;
}

/* The first end of the children, to which @length is added as if all workers
 * shared it, and shared what other children still have to do until then. */
double starpu_sched_component_estimated_end_min_add(
    struct starpu_sched_component *component, double length)
{
    enum { FEW = 16 };
    double few[FEW];
    unsigned count = component->nchildren;
    g_autofree double *many = count > FEW ? g_new(double, count) : NULL;
    double *ends = many ? many : few;
    double first = DBL_MAX;
    for (unsigned i = 0; i < count; i++) {
        ends[i] = component->children[i]->estimated_end(component->children[i]);
        first = MIN(first, ends[i]);
    }
    if (length <= 0)
        return first;
    for (unsigned i = 0; i < count; i++)
        length += ends[i] - first;
    int workers = starpu_bitmap_cardinal(&component->workers_in_ctx);
    return first + length / MAX(workers, 1);
}

double starpu_sched_component_estimated_end_min(
    struct starpu_sched_component *component)
{
    return starpu_sched_component_estimated_end_min_add(component, 0);
}

double starpu_sched_component_estimated_end_average(
    struct starpu_sched_component *component)
{
    double sum = 0;
    for (unsigned i = 0; i < component->nchildren; i++)
        sum += component->children[i]->estimated_end(component->children[i]);
    return sum / component->nchildren;
}

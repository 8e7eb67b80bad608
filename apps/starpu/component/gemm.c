/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The decision of modular-gemm: products of matrices go to the child that ends
 * them first, if it has room. All other tasks go to CPUs. */
#include "apps/starpu/component/component.h"

#include <starpu_task.h>

#include <glib.h>

#include <stdlib.h>

/* The models of such products in programs that StarPU comes with. */
static const char *const products[] = {
    "gemm",
    "dgemm",
    "sgemm",
    "chol_model_22",
    "starpu_dlu_lu_model_22",
    "starpu_slu_lu_model_22",
    NULL,
};

struct offer {
    unsigned child;
    double length, transfer, end; /* us */
};

static int compare_ends(const void *left, const void *right)
{
    const struct offer *a = left, *b = right;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->child > b->child) - (a->child < b->child);
}

/* The children that can run @task, by the date when they end it. Their end and
 * the length and transfer of @task add up. */
static unsigned find_offers(struct starpu_sched_component *component,
                            struct starpu_task *task, struct offer *offers)
{
    unsigned count = 0;
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        struct offer *offer = &offers[count];
        if (!starpu_sched_component_execute_preds(child, task, &offer->length))
            continue;
        offer->child = i;
        offer->end = child->estimated_end(child) + offer->length;
        offer->transfer = starpu_sched_component_transfer_length(child, task);
        offer->end += offer->transfer;
        count++;
    }
    qsort(offers, count, sizeof(*offers), compare_ends);
    return count;
}

static bool push_product(struct starpu_sched_component *component,
                         struct starpu_task *task)
{
    g_autofree struct offer *offers =
        g_new0(struct offer, component->nchildren);
    unsigned count = find_offers(component, task, offers);
    bool pushed = false;
    for (unsigned i = 0; i < count && !pushed; i++) {
        task->predicted = offers[i].length;
        task->predicted_transfer = offers[i].transfer;
        pushed = !starpu_sched_component_push_task(
            component, component->children[offers[i].child], task);
    }
    return pushed;
}

static bool push_for(struct starpu_sched_component *component, int worker,
                     struct starpu_task *task)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        if (starpu_bitmap_get(&child->workers, worker) &&
            !starpu_sched_component_push_task(component, child, task))
            return true;
    }
    return false;
}

/* For each CPU and implementation that can run @task; for each worker without
 * CPUs. */
static bool push_other(struct starpu_sched_component *component,
                       struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w)) {
        if (starpu_cpu_worker_get_count() > 0 &&
            starpu_worker_get_type(w) != STARPU_CPU_WORKER)
            continue;
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
            if (sp_component_can(w, task, i) && push_for(component, w, task))
                return true;
    }
    return false;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    const char *model = starpu_task_get_model_name(task);
    if (model && g_strv_contains(products, model) &&
        push_product(component, task))
        return 0;
    return !push_other(component, task);
}

struct starpu_sched_component *
sp_component_gemm_create(struct starpu_sched_tree *tree, void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "gemm");
    (void)argument;
    component->push_task = push;
    return component;
}

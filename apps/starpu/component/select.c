/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Components that choose the way of a task: perfmodel_select by its prediction,
 * userchoice as the program wants; and stage, where such ways meet. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <starpu_task.h>

#include <glib.h>

#include <math.h>
#include <stdint.h>

/* ---- perfmodel_select ---- */

struct selector {
    struct starpu_sched_component_perfmodel_select_data to;
    bool warned;
};

static int push_selected(struct starpu_sched_component *component,
                         struct starpu_task *task)
{
    struct selector *selector = component->data;
    struct starpu_sched_component *child = selector->to.perfmodel_component;
    double length = 0;
    sp_component_need_able(component, task,
                           "starpu_sched_component_push_task()");
    if (!starpu_sched_component_execute_preds(component, task, &length))
        return 1;
    if (isnan(length)) {
        child = selector->to.calibrator_component;
        if (!selector->warned)
            sp_warn("a task has no prediction yet: the policy takes the first "
                    "worker that needs one");
        selector->warned = true;
    } else if (length == 0) {
        child = selector->to.no_perfmodel_component;
    }
    return starpu_sched_component_push_task(component, child, task);
}

/* Tasks come by push alone, so that each takes its way. */
static struct starpu_task *
pull_nothing(struct starpu_sched_component *component,
             struct starpu_sched_component *to)
{
    (void)component;
    (void)to;
    return NULL;
}

static double selected_end(struct starpu_sched_component *component)
{
    struct selector *selector = component->data;
    struct starpu_sched_component *child = selector->to.perfmodel_component;
    return child->estimated_end(child);
}

static void free_selector(struct starpu_sched_component *component)
{
    g_free(component->data);
}

int starpu_sched_component_is_perfmodel_select(
    struct starpu_sched_component *component)
{
    return component->push_task == push_selected;
}

struct starpu_sched_component *starpu_sched_component_perfmodel_select_create(
    struct starpu_sched_tree *tree,
    struct starpu_sched_component_perfmodel_select_data *data)
{
    static const char call[] =
        "starpu_sched_component_perfmodel_select_create()";
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "perfmodel_selector");
    struct selector *selector = g_new0(struct selector, 1);
    if (!data)
        sp_fail(call, "the parameters are NULL");
    selector->to = *data;
    sp_component_need(data->calibrator_component, call);
    sp_component_need(data->no_perfmodel_component, call);
    sp_component_need(data->perfmodel_component, call);
    component->data = selector;
    component->can_pull = starpu_sched_component_send_can_push_to_parents;
    component->push_task = push_selected;
    component->pull_task = pull_nothing;
    component->estimated_end = selected_end;
    component->deinit_data = free_selector;
    return component;
}

/* ---- userchoice ---- */

/* The member sched_data of a task is the number of the child. */
static int push_chosen(struct starpu_sched_component *component,
                       struct starpu_task *task)
{
    uintptr_t chosen = (uintptr_t)task->sched_data;
    if (chosen >= component->nchildren)
        sp_fail("starpu_sched_component_push_task()",
                "component %s has %u children: sched_data of the task is %zu",
                component->name, component->nchildren, (size_t)chosen);
    return starpu_sched_component_push_task(component,
                                            component->children[chosen], task);
}

int starpu_sched_component_is_userchoice(
    struct starpu_sched_component *component)
{
    return component->push_task == push_chosen;
}

struct starpu_sched_component *
starpu_sched_component_userchoice_create(struct starpu_sched_tree *tree,
                                         void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "userchoice");
    (void)argument;
    component->push_task = push_chosen;
    return component;
}

/* ---- stage ---- */

/* Its parents are asked in their order. */
static int push_to_child(struct starpu_sched_component *component,
                         struct starpu_task *task)
{
    if (component->nchildren != 1)
        sp_fail("starpu_sched_component_push_task()",
                "component %s has %u children, not one", component->name,
                component->nchildren);
    return starpu_sched_component_push_task(component, component->children[0],
                                            task);
}

int starpu_sched_component_is_stage(struct starpu_sched_component *component)
{
    return component->push_task == push_to_child;
}

struct starpu_sched_component *
starpu_sched_component_stage_create(struct starpu_sched_tree *tree,
                                    void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "stage");
    (void)argument;
    component->push_task = push_to_child;
    return component;
}

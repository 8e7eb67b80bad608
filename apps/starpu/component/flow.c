/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How tasks get from one component to another, and notifications that one can
 * push or pull. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

int starpu_sched_component_push_task(struct starpu_sched_component *from,
                                     struct starpu_sched_component *to,
                                     struct starpu_task *task)
{
    static const char call[] = "starpu_sched_component_push_task()";
    (void)from;
    if (!to)
        sp_fail(call, "there is no component to push to");
    if (!to->push_task)
        sp_fail(call, "component %s has no push_task()", to->name);
    return to->push_task(to, task);
}

struct starpu_task *
starpu_sched_component_pull_task(struct starpu_sched_component *from,
                                 struct starpu_sched_component *to)
{
    return from->pull_task(from, to);
}

struct starpu_task *starpu_sched_component_parents_pull_task(
    struct starpu_sched_component *component, struct starpu_sched_component *to)
{
    struct starpu_task *task = NULL;
    (void)to;
    for (unsigned i = 0; i < component->nparents && !task; i++)
        if (component->parents[i])
            task = starpu_sched_component_pull_task(component->parents[i],
                                                    component);
    return task;
}

struct starpu_task *
starpu_sched_component_pump_to(struct starpu_sched_component *component,
                               struct starpu_sched_component *to, int *success)
{
    struct starpu_task *task;
    while ((task = component->pull_task(component, to))) {
        if (starpu_sched_component_push_task(component, to, task))
            return task;
        if (success)
            *success = 1;
    }
    return NULL;
}

struct starpu_task *
starpu_sched_component_pump_downstream(struct starpu_sched_component *component,
                                       int *success)
{
    if (component->nchildren != 1)
        sp_fail("starpu_sched_component_pump_downstream()",
                "component %s has %u children, not one", component->name,
                component->nchildren);
    return starpu_sched_component_pump_to(component, component->children[0],
                                          success);
}

int starpu_sched_component_can_push(struct starpu_sched_component *component,
                                    struct starpu_sched_component *to)
{
    int pushed = 0;
    (void)to;
    for (unsigned i = 0; i < component->nparents && !pushed; i++) {
        struct starpu_sched_component *parent = component->parents[i];
        if (parent)
            pushed = parent->can_push(parent, component);
    }
    return pushed;
}

int starpu_sched_component_send_can_push_to_parents(
    struct starpu_sched_component *component)
{
    return starpu_sched_component_can_push(component, NULL) != 0;
}

int starpu_sched_component_can_pull(struct starpu_sched_component *component)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        if (child->can_pull(child))
            return 1;
    }
    return 0;
}

int starpu_sched_component_can_pull_all(
    struct starpu_sched_component *component)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        child->can_pull(child);
    }
    return 0;
}

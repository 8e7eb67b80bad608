/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* eager_prio: keeps tasks by priority, and pushes the first one as long as a
 * child takes it. */
#include "apps/starpu/component/component.h"

#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu_thread_util.h>

#include <glib.h>

struct eager_prio {
    struct starpu_st_prio_deque deque;
    starpu_pthread_mutex_t mutex;
};

static bool push_for(struct starpu_sched_component *component, int worker,
                     struct starpu_task *task)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        if (!starpu_bitmap_get(&child->workers, worker))
            continue;
        sp_component_need_queue(component, child);
        if (!starpu_sched_component_push_task(component, child, task))
            return true;
    }
    return false;
}

/* Offers @task once for each worker and implementation that can run it. */
static bool push_down(struct starpu_sched_component *component,
                      struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
            if (sp_component_can(w, task, i) && push_for(component, w, task))
                return true;
    return false;
}

static bool push_one(struct starpu_sched_component *component)
{
    struct eager_prio *own = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    struct starpu_task *task = starpu_st_prio_deque_pop_task(&own->deque);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    if (!task)
        return false;
    if (push_down(component, task))
        return true;
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    starpu_st_prio_deque_push_front_task(&own->deque, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    return false;
}

static void push_all(struct starpu_sched_component *component)
{
    while (push_one(component))
        ;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct eager_prio *own = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    starpu_st_prio_deque_push_back_task(&own->deque, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    push_all(component);
    return 0;
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *to)
{
    push_all(component);
    return starpu_sched_component_can_push(component, to);
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct eager_prio *own = component->data;
    starpu_st_prio_deque_destroy(&own->deque);
    STARPU_PTHREAD_MUTEX_DESTROY(&own->mutex);
    g_free(own);
}

int starpu_sched_component_is_eager_prio(
    struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_eager_prio_create(struct starpu_sched_tree *tree,
                                         void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "eager_prio");
    struct eager_prio *own = g_new0(struct eager_prio, 1);
    (void)argument;
    starpu_st_prio_deque_init(&own->deque);
    STARPU_PTHREAD_MUTEX_INIT(&own->mutex, NULL);
    component->data = own;
    component->push_task = push;
    component->can_push = can_push;
    component->deinit_data = deinit_data;
    return component;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* eager: the first child that takes a task gets it. A child that asks for tasks
 * comes first, and gets one at a time. */
#include "apps/starpu/component/component.h"

#include <starpu_thread_util.h>

#include <glib.h>

struct eager {
    struct starpu_sched_component *asking; /* NULL: none */
    int wanted;                            /* tasks; -1: any number */
    starpu_pthread_mutex_t mutex;
};

/* Offers @task once for each worker and implementation that can run it. */
static bool push_to_asking(struct starpu_sched_component *component,
                           struct starpu_sched_component *asking,
                           struct starpu_task *task)
{
    struct starpu_bitmap *workers = &asking->workers;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
            if (sp_component_can(w, task, i) &&
                !starpu_sched_component_push_task(component, asking, task))
                return true;
    return false;
}

/* What has come of offering a task to the children. */
enum outcome { REFUSED, TAKEN, PULLED };

/* A worker pulls the task itself. */
static enum outcome push_for(struct starpu_sched_component *component,
                             int worker, struct starpu_task *task)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        if (!starpu_bitmap_get(&child->workers, worker))
            continue;
        if (starpu_sched_component_is_worker(child)) {
            if (child->can_pull(child))
                return PULLED;
        } else if (!starpu_sched_component_push_task(component, child, task)) {
            return TAKEN;
        }
    }
    return REFUSED;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct eager *eager = component->data;
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    sp_component_need_able(component, task,
                           "starpu_sched_component_push_task()");
    if (eager->wanted == 0)
        return 1;
    if (eager->wanted > 0)
        eager->wanted--;
    if (eager->asking && push_to_asking(component, eager->asking, task))
        return 0;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
            enum outcome outcome = sp_component_can(w, task, i)
                                       ? push_for(component, w, task)
                                       : REFUSED;
            if (outcome != REFUSED)
                return outcome == PULLED;
        }
    return 1;
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *to)
{
    struct eager *eager = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&eager->mutex);
    eager->asking = to;
    eager->wanted = 1;
    int pushed = starpu_sched_component_can_push(component, to);
    eager->asking = NULL;
    eager->wanted = -1;
    STARPU_COMPONENT_MUTEX_UNLOCK(&eager->mutex);
    return pushed;
}

/* A task of the parents may be one that @to cannot run. So they push it, and it
 * may go to another child. */
static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    can_push(component, to);
    return NULL;
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct eager *eager = component->data;
    STARPU_PTHREAD_MUTEX_DESTROY(&eager->mutex);
    g_free(eager);
}

int starpu_sched_component_is_eager(struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_eager_create(struct starpu_sched_tree *tree,
                                    void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "eager");
    struct eager *eager = g_new0(struct eager, 1);
    (void)argument;
    eager->wanted = -1;
    STARPU_PTHREAD_MUTEX_INIT(&eager->mutex, NULL);
    component->data = eager;
    component->push_task = push;
    component->pull_task = pull;
    component->can_push = can_push;
    component->can_pull = starpu_sched_component_can_pull_all;
    component->deinit_data = deinit_data;
    return component;
}

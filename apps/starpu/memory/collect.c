/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/memory/collect.h"

#include <starpu_thread_util.h>

#include <glib.h>

#include <stdbool.h>

struct collect {
    sp_collect_order *order;
    struct starpu_task_list collected; /* the last one that came first */
    struct starpu_task_list ordered;
    struct starpu_task_list refused; /* by a child; the last one goes first */
    bool has_ordered;                /* at least once */
    starpu_pthread_mutex_t mutex;
};

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct collect *collect = component->data;
    STARPU_PTHREAD_MUTEX_LOCK(&collect->mutex);
    starpu_task_list_push_front(&collect->collected, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&collect->mutex);
    component->can_pull(component);
    return 0;
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *child)
{
    struct collect *collect = component->data;
    struct starpu_task *task = NULL;
    (void)child;
    if (!collect->has_ordered)
        return NULL;
    STARPU_PTHREAD_MUTEX_LOCK(&collect->mutex);
    if (!starpu_task_list_empty(&collect->refused))
        task = starpu_task_list_pop_back(&collect->refused);
    else if (!starpu_task_list_empty(&collect->ordered))
        task = starpu_task_list_pop_front(&collect->ordered);
    STARPU_PTHREAD_MUTEX_UNLOCK(&collect->mutex);
    return task;
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *child)
{
    struct collect *collect = component->data;
    int pushed = 0;
    struct starpu_task *refused =
        starpu_sched_component_pump_to(component, child, &pushed);
    if (refused) {
        STARPU_PTHREAD_MUTEX_LOCK(&collect->mutex);
        starpu_task_list_push_back(&collect->refused, refused);
        STARPU_PTHREAD_MUTEX_UNLOCK(&collect->mutex);
    }
    return pushed || starpu_sched_component_can_push(component, child);
}

static void decide(struct starpu_sched_component *component)
{
    struct collect *collect = component->data;
    g_autofree struct starpu_task **tasks = NULL;
    g_autofree unsigned *order = NULL;
    unsigned count = 0;
    if (!starpu_task_list_empty(&collect->ordered) ||
        starpu_task_list_empty(&collect->collected))
        return;
    tasks = g_new(struct starpu_task *,
                  (unsigned)starpu_task_list_size(&collect->collected));
    while (!starpu_task_list_empty(&collect->collected))
        tasks[count++] = starpu_task_list_pop_front(&collect->collected);
    order = g_new(unsigned, count);
    collect->order(tasks, count, order);
    for (unsigned i = 0; i < count; i++)
        starpu_task_list_push_back(&collect->ordered, tasks[order[i]]);
    collect->has_ordered = true;
}

static void deinit(struct starpu_sched_component *component)
{
    struct collect *collect = component->data;
    STARPU_PTHREAD_MUTEX_DESTROY(&collect->mutex);
    g_free(collect);
}

struct starpu_sched_component *
sp_component_collect_create(struct starpu_sched_tree *tree, const char *name,
                            sp_collect_order *order)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, name);
    struct collect *collect = g_new0(struct collect, 1);
    collect->order = order;
    starpu_task_list_init(&collect->collected);
    starpu_task_list_init(&collect->ordered);
    starpu_task_list_init(&collect->refused);
    STARPU_PTHREAD_MUTEX_INIT(&collect->mutex, NULL);
    component->data = collect;
    component->push_task = push;
    component->pull_task = pull;
    component->can_push = can_push;
    component->do_schedule = decide;
    component->deinit_data = deinit;
    return component;
}

uint64_t sp_tasks_share(struct starpu_task *left, struct starpu_task *right,
                        uint64_t (*weight)(starpu_data_handle_t handle))
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(left); i++)
        for (unsigned j = 0; j < STARPU_TASK_GET_NBUFFERS(right); j++)
            if (STARPU_TASK_GET_HANDLE(left, i) ==
                STARPU_TASK_GET_HANDLE(right, j))
                sum += weight(STARPU_TASK_GET_HANDLE(left, i));
    return sum;
}

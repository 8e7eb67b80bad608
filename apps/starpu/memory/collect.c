/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/memory/collect.h"

#include <starpu_thread_util.h>

#include <glib.h>

#include <stdbool.h>

/* What one child takes, or all of them. */
struct part {
    struct starpu_task_list ordered;
    struct starpu_task_list refused; /* by a child; the last one goes first */
};

struct collect {
    sp_collect_order *order;
    struct starpu_task_list collected; /* the last one that came first */
    unsigned part_count;
    struct part *parts;
    bool has_ordered;
    unsigned in_order, ended; /* tasks of the last order */
    starpu_pthread_mutex_t mutex;
};

/* NULL: none. */
static struct part *part_of(struct starpu_sched_component *component,
                            struct starpu_sched_component *child)
{
    struct collect *collect = component->data;
    unsigned i = 0;
    unsigned most = MIN(collect->part_count, component->nchildren);
    while (collect->part_count > 1 && i < most &&
           component->children[i] != child)
        i++;
    return i < most ? &collect->parts[i] : NULL;
}

static bool has_order(const struct collect *collect)
{
    for (unsigned i = 0; i < collect->part_count; i++)
        if (!starpu_task_list_empty(&collect->parts[i].ordered))
            return true;
    return false;
}

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

/* As in StarPU, the length of a task of one of several parts is predicted. */
static struct starpu_task *take(struct collect *collect, struct part *part)
{
    struct starpu_task *task;
    if (!starpu_task_list_empty(&part->refused))
        return starpu_task_list_pop_back(&part->refused);
    if (starpu_task_list_empty(&part->ordered))
        return NULL;
    task = starpu_task_list_pop_front(&part->ordered);
    if (collect->part_count > 1)
        starpu_task_expected_length(task, starpu_worker_get_perf_archtype(1, 0),
                                    0);
    return task;
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *child)
{
    struct collect *collect = component->data;
    struct part *part = part_of(component, child);
    struct starpu_task *task;
    if (!collect->has_ordered || !part)
        return NULL;
    STARPU_PTHREAD_MUTEX_LOCK(&collect->mutex);
    task = take(collect, part);
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
        starpu_task_list_push_back(&part_of(component, child)->refused,
                                   refused);
        STARPU_PTHREAD_MUTEX_UNLOCK(&collect->mutex);
    }
    return pushed || starpu_sched_component_can_push(component, child);
}

/* @ends as in sp_collect_order. */
static void fill_parts(struct collect *collect, struct starpu_task **tasks,
                       const unsigned *order, const unsigned *ends)
{
    unsigned i = 0;
    for (unsigned p = 0; p < collect->part_count; p++)
        for (; i < ends[p]; i++)
            starpu_task_list_push_back(&collect->parts[p].ordered,
                                       tasks[order[i]]);
}

static void decide(struct starpu_sched_component *component)
{
    struct collect *collect = component->data;
    g_autofree struct starpu_task **tasks = NULL;
    g_autofree unsigned *order = NULL, *ends = NULL;
    unsigned count = 0;
    if (has_order(collect) || starpu_task_list_empty(&collect->collected))
        return;
    tasks = g_new(struct starpu_task *,
                  (unsigned)starpu_task_list_size(&collect->collected));
    while (!starpu_task_list_empty(&collect->collected))
        tasks[count++] = starpu_task_list_pop_front(&collect->collected);
    order = g_new(unsigned, count);
    ends = g_new(unsigned, collect->part_count);
    for (unsigned p = 0; p < collect->part_count; p++)
        ends[p] = count;
    collect->order(tasks, count, order, ends);
    fill_parts(collect, tasks, order, ends);
    collect->has_ordered = true;
    collect->in_order = count;
}

static void deinit(struct starpu_sched_component *component)
{
    struct collect *collect = component->data;
    STARPU_PTHREAD_MUTEX_DESTROY(&collect->mutex);
    g_free(collect->parts);
    g_free(collect);
}

struct starpu_sched_component *
sp_component_collect_create(struct starpu_sched_tree *tree, const char *name,
                            sp_collect_order *order, unsigned parts)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, name);
    struct collect *collect = g_new0(struct collect, 1);
    collect->order = order;
    starpu_task_list_init(&collect->collected);
    collect->part_count = parts;
    collect->parts = g_new(struct part, parts);
    for (unsigned i = 0; i < parts; i++) {
        starpu_task_list_init(&collect->parts[i].ordered);
        starpu_task_list_init(&collect->parts[i].refused);
    }
    STARPU_PTHREAD_MUTEX_INIT(&collect->mutex, NULL);
    component->data = collect;
    component->push_task = push;
    component->pull_task = pull;
    component->can_push = can_push;
    component->do_schedule = decide;
    component->deinit_data = deinit;
    return component;
}

void sp_component_collect_ended(struct starpu_sched_component *component)
{
    struct collect *collect = component->data;
    if (++collect->ended != collect->in_order)
        return;
    collect->has_ordered = false;
    collect->ended = 0;
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

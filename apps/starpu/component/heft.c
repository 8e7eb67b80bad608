/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* heft: of the first tasks with the highest priority, the one that can end
 * first goes to its best child. */
#include "apps/starpu/component/mct.h"

#include "apps/starpu/component/component.h"

#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu_thread_util.h>

#include <glib.h>

enum { MOST = 5 }; /* tasks that are compared */

struct heft {
    struct orr_sched_weights weights;
    struct starpu_st_prio_deque deque;
    starpu_pthread_mutex_t mutex;
};

/* The first tasks of the queue that have one priority. */
static unsigned pop_some(struct heft *heft, struct starpu_task **tasks)
{
    unsigned count = 0;
    STARPU_COMPONENT_MUTEX_LOCK(&heft->mutex);
    struct starpu_task *task = starpu_st_prio_deque_pop_task(&heft->deque);
    while (task) {
        tasks[count++] = task;
        task = count < MOST ? starpu_st_prio_deque_highest_task(&heft->deque)
                            : NULL;
        if (!task || task->priority < tasks[0]->priority)
            break;
        starpu_st_prio_deque_pop_task(&heft->deque);
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&heft->mutex);
    return count;
}

/* All but the task @taken, in their order. */
static void put_back(struct heft *heft, struct starpu_task **tasks,
                     unsigned count, unsigned taken)
{
    STARPU_COMPONENT_MUTEX_LOCK(&heft->mutex);
    for (unsigned i = count; i-- > 0;)
        if (i != taken)
            starpu_st_prio_deque_push_front_task(&heft->deque, tasks[i]);
    STARPU_COMPONENT_MUTEX_UNLOCK(&heft->mutex);
}

static int push_to(struct starpu_sched_component *component,
                   struct starpu_sched_component *best,
                   struct starpu_task *task)
{
    if (!best)
        return sp_calibration_push(component, task);
    sp_component_need_queue(component, best);
    starpu_sched_task_break(task);
    return starpu_sched_component_push_task(component, best, task);
}

static bool push_first(struct starpu_sched_component *component,
                       struct starpu_task **tasks, unsigned count,
                       struct sp_offers *offers)
{
    struct heft *heft = component->data;
    unsigned first = 0;
    for (unsigned i = 0; i < count; i++) {
        sp_offers_init(&offers[i], component, tasks[i]);
        sp_offers_find_ends(&offers[i], component, tasks[i]);
        if (offers[i].first_end < offers[first].first_end)
            first = i;
    }
    /* As in StarPU, the last one says how long the children are busy. */
    offers[first].last_end = offers[count - 1].last_end;
    put_back(heft, tasks, count, first);
    struct starpu_task *task = tasks[first];
    struct starpu_sched_component *best =
        sp_offers_choose(&offers[first], &heft->weights, component, task);
    if (!push_to(component, best, task))
        return true;
    put_back(heft, &task, 1, 1);
    return false;
}

static bool push_one(struct starpu_sched_component *component)
{
    struct starpu_task *tasks[MOST];
    struct sp_offers offers[MOST];
    unsigned count = pop_some(component->data, tasks);
    if (count == 0)
        return false;
    bool pushed = push_first(component, tasks, count, offers);
    for (unsigned i = 0; i < count; i++)
        sp_offers_clear(&offers[i]);
    return pushed;
}

static void push_all(struct starpu_sched_component *component)
{
    while (push_one(component))
        ;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct heft *heft = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&heft->mutex);
    starpu_st_prio_deque_push_back_task(&heft->deque, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&heft->mutex);
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
    struct heft *heft = component->data;
    starpu_st_prio_deque_destroy(&heft->deque);
    STARPU_PTHREAD_MUTEX_DESTROY(&heft->mutex);
    g_free(heft);
}

int starpu_sched_component_is_heft(struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_heft_create(struct starpu_sched_tree *tree,
                                   struct starpu_sched_component_mct_data *data)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "heft");
    struct heft *heft = g_new0(struct heft, 1);
    heft->weights = sp_mct_weights(data);
    starpu_st_prio_deque_init(&heft->deque);
    STARPU_PTHREAD_MUTEX_INIT(&heft->mutex, NULL);
    component->data = heft;
    component->push_task = push;
    component->can_push = can_push;
    component->deinit_data = deinit_data;
    return component;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inverted: two lists with a mutex each, for urgent tasks and for others. A
 * worker that finds the urgent one locked takes a task of the other. -DFIXED
 * waits. Found with --check-priorities. */
#include "tests/zoo/starpu/zoo.h"

enum { URGENT, OTHER, LISTS };

struct data {
    starpu_pthread_mutex_t mutexes[LISTS];
    struct starpu_task_list lists[LISTS];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    for (unsigned i = 0; i < LISTS; i++) {
        STARPU_PTHREAD_MUTEX_INIT(&data->mutexes[i], NULL);
        starpu_task_list_init(&data->lists[i]);
    }
    starpu_sched_ctx_set_min_priority(context, 0);
    starpu_sched_ctx_set_max_priority(context, 1);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned i = task->priority > 0 ? URGENT : OTHER;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutexes[i]);
    starpu_task_list_push_back(&data->lists[i], task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutexes[i]);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *take_from(struct data *data, unsigned i)
{
    struct starpu_task *task;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutexes[i]);
    task = zoo_take(&data->lists[i], starpu_worker_get_id_check());
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutexes[i]);
    return task;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task = NULL;
    int is_free = 1;

    (void)context;
#ifndef FIXED
    is_free = !STARPU_PTHREAD_MUTEX_TRYLOCK(&data->mutexes[URGENT]);
    if (is_free)
        STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutexes[URGENT]);
#endif
    if (is_free)
        task = take_from(data, URGENT);
    if (!task)
        task = take_from(data, OTHER);
    if (!task && !is_free)
        task = take_from(data, URGENT);
    return task;
}

ZOO_POLICY("inverted", .init_sched = init, .push_task = push, .pop_task = pop);

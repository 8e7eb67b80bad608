/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lock-order: push locks the list and then the count, pop the count and then
 * the list. -DFIXED locks the list first in both. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t tasks_mutex, count_mutex;
    struct starpu_task_list tasks;
    unsigned count;
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->tasks_mutex, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&data->count_mutex, NULL);
    starpu_task_list_init(&data->tasks);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();

    STARPU_PTHREAD_MUTEX_LOCK(&data->tasks_mutex);
    starpu_task_list_push_back(&data->tasks, task);
    STARPU_PTHREAD_MUTEX_LOCK(&data->count_mutex);
    data->count++;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->count_mutex);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->tasks_mutex);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task = NULL;

    (void)context;
#ifdef FIXED
    STARPU_PTHREAD_MUTEX_LOCK(&data->tasks_mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->count_mutex);
#else
    STARPU_PTHREAD_MUTEX_LOCK(&data->count_mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->tasks_mutex);
#endif
    if (data->count > 0)
        task = zoo_take(&data->tasks, starpu_worker_get_id_check());
    data->count -= task != NULL;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->tasks_mutex);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->count_mutex);
    return task;
}

ZOO_POLICY("lock-order", .init_sched = init, .push_task = push,
           .pop_task = pop);

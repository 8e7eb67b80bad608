/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* negative-count: push counts a task after others could pop it, and pop asserts
 * that the number is not negative. -DFIXED counts under the first lock. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    int count;
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->tasks);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    data->count++;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->tasks, starpu_worker_get_id_check());
    data->count -= task != NULL;
    STARPU_ASSERT(data->count >= 0);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("negative-count", .init_sched = init, .push_task = push,
           .pop_task = pop);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* peek-then-take: a worker looks for a task under the mutex, and takes it out
 * under the mutex again: another one may have found the same task. -DFIXED
 * looks and takes at once. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
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
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();
    struct starpu_task *task;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_find(&data->tasks, worker);
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    if (task && starpu_task_list_ismember(&data->tasks, task))
        starpu_task_list_erase(&data->tasks, task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("peek-then-take", .init_sched = init, .push_task = push,
           .pop_task = pop);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* unlocked-count: the number of tasks is changed and read without the mutex.
 * -DFIXED does both under it. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    int ready; /* tasks in the list */
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
#ifdef FIXED
    data->ready++;
#endif
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
#ifndef FIXED
    data->ready++;
#endif
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task = NULL;

    (void)context;
#ifndef FIXED
    if (data->ready == 0)
        return NULL;
#endif
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    if (data->ready > 0)
        task = zoo_take(&data->tasks, starpu_worker_get_id_check());
#ifdef FIXED
    data->ready -= task != NULL;
#endif
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
#ifndef FIXED
    data->ready -= task != NULL;
#endif
    return task;
}

ZOO_POLICY("unlocked-count", .init_sched = init, .push_task = push,
           .pop_task = pop);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sleeper-count: a worker that finds nothing counts itself as a sleeper under
 * the mutex, but not at once. -DFIXED counts under the first lock. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    int sleeps[STARPU_NMAXWORKERS];
    unsigned sleepers;
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->tasks);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        data->sleeps[w] = 1;
    data->sleepers = starpu_worker_get_count();
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    int wakes;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    wakes = data->sleepers > 0;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    if (wakes)
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
    task = zoo_take(&data->tasks, worker);
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    if (data->sleeps[worker] != !task)
        data->sleepers += task ? -1u : 1u;
    data->sleeps[worker] = !task;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("sleeper-count", .init_sched = init, .push_task = push,
           .pop_task = pop);

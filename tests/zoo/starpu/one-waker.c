/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* one-waker: push wakes the first worker that can run the task, even if it is
 * busy. -DFIXED wakes all. Found with --max-wait 5ms. */
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
    unsigned worker = 0;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    while (!zoo_can_run(worker, task))
        worker++;
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
#ifdef FIXED
    zoo_wake_all();
#else
    starpu_wake_worker_relax_light((int)worker);
#endif
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->tasks, starpu_worker_get_id_check());
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("one-waker", .init_sched = init, .push_task = push, .pop_task = pop);

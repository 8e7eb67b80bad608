/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* steal-drops: a worker puts a task that it has stolen into its own list. It
 * calls only trylock for the mutex of the list; if another worker holds the
 * mutex, the task is lost. -DFIXED: the worker runs the task at once. */
#include "tests/zoo/starpu/zoo.h"

struct lane {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
};

struct data {
    struct lane lanes[STARPU_NMAXWORKERS];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        STARPU_PTHREAD_MUTEX_INIT(&data->lanes[w].mutex, NULL);
        starpu_task_list_init(&data->lanes[w].tasks);
    }
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    int worker = starpu_worker_get_id();
    struct lane *lane = &data->lanes[worker < 0 ? 0 : worker];

    STARPU_PTHREAD_MUTEX_LOCK(&lane->mutex);
    starpu_task_list_push_back(&lane->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&lane->mutex);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *take_from(struct lane *lane, unsigned worker)
{
    struct starpu_task *task;

    STARPU_PTHREAD_MUTEX_LOCK(&lane->mutex);
    task = zoo_take(&lane->tasks, worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&lane->mutex);
    return task;
}

static struct starpu_task *steal(struct data *data, unsigned worker)
{
    unsigned workers = starpu_worker_get_count();
    struct starpu_task *task = NULL;

    for (unsigned i = 1; i < workers && !task; i++)
        task = take_from(&data->lanes[(worker + i) % workers], worker);
#ifndef FIXED
    struct lane *own = &data->lanes[worker];

    if (!task || STARPU_PTHREAD_MUTEX_TRYLOCK(&own->mutex))
        return NULL;
    starpu_task_list_push_back(&own->tasks, task);
    task = zoo_take(&own->tasks, worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&own->mutex);
#endif
    return task;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();
    struct starpu_task *task = take_from(&data->lanes[worker], worker);

    (void)context;
    return task ? task : steal(data, worker);
}

ZOO_POLICY("steal-drops", .init_sched = init, .push_task = push,
           .pop_task = pop);

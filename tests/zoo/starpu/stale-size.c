/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stale-size: a list for each worker. A thief reads the size of the victim's
 * list before it locks it. -DFIXED reads it under the mutex. */
#include "tests/zoo/starpu/zoo.h"

struct lane {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    int size;
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
    lane->size++;
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&lane->mutex);
    zoo_wake_all();
    return 0;
}

static struct starpu_task *steal(struct lane *lane, unsigned worker)
{
    struct starpu_task *task = NULL;
    int size;

    STARPU_PTHREAD_MUTEX_LOCK(&lane->mutex);
    size = lane->size;
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&lane->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&lane->mutex);
#endif
    if (size > 0)
        task = zoo_take(&lane->tasks, worker);
    if (task)
        lane->size = size - 1;
    STARPU_PTHREAD_MUTEX_UNLOCK(&lane->mutex);
    return task;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();
    unsigned workers = starpu_worker_get_count();
    struct starpu_task *task = NULL;

    (void)context;
    for (unsigned i = 0; i < workers && !task; i++)
        task = steal(&data->lanes[(worker + i) % workers], worker);
    return task;
}

ZOO_POLICY("stale-size", .init_sched = init, .push_task = push,
           .pop_task = pop);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* warm-up: until ten tasks have ended, updates of the diagonal are kept back;
 * with few tiles, ten never end. -DFIXED gives them to a worker that has
 * nothing else. */
#include "tests/zoo/starpu/zoo.h"

enum { ENOUGH = 10 };

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks, kept;
    unsigned ended;
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->tasks);
    starpu_task_list_init(&data->kept);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    int is_update = strcmp(starpu_task_get_name(task), "syrk") == 0;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(
        is_update && data->ended < ENOUGH ? &data->kept : &data->tasks, task);
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
    int is_warm = 1;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->tasks, worker);
#ifndef FIXED
    is_warm = data->ended >= ENOUGH;
#endif
    if (!task && is_warm)
        task = zoo_take(&data->kept, worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

static void post_exec(struct starpu_task *task, unsigned context)
{
    struct data *data = zoo_data();
    int is_warm;

    (void)task;
    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    is_warm = ++data->ended == ENOUGH;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    if (is_warm)
        zoo_wake_all();
}

ZOO_POLICY("warm-up", .init_sched = init, .push_task = push, .pop_task = pop,
           .post_exec_hook = post_exec);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fast-path: a place for one task before the list, from which any worker takes
 * it, also one that cannot run it. -DFIXED asks whether it can. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    struct starpu_task *next; /* NULL: none */
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
    if (data->next)
        starpu_task_list_push_back(&data->tasks, task);
    else
        data->next = task;
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
    task = data->next;
#ifdef FIXED
    if (task && !zoo_can_run(worker, task))
        task = NULL;
#endif
    if (task)
        data->next = NULL;
    else
        task = zoo_take(&data->tasks, worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("fast-path", .init_sched = init, .push_task = push, .pop_task = pop);

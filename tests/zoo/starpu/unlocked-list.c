/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* unlocked-list: push and pop do not lock the list. StarPU's function that puts
 * a task into it takes so short that it works nearly always. -DFIXED locks.
 * Only builds that report accesses to memory show it (make races). */
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

#ifdef FIXED
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
#ifdef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
#endif
    zoo_wake_all();
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task;

    (void)context;
#ifdef FIXED
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    task = zoo_take(&data->tasks, starpu_worker_get_id_check());
#ifdef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
#endif
    return task;
}

ZOO_POLICY("unlocked-list", .init_sched = init, .push_task = push,
           .pop_task = pop);

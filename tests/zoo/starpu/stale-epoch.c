/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stale-epoch: tasks wait in one of eight lists, by the number of tasks that
 * have ended, and workers look into the last four. Push reads the number, lets
 * go of the mutex, and queues the task later. -DFIXED reads it when it queues
 * the task. */
#include "tests/zoo/starpu/zoo.h"

enum { LISTS = 8, SEEN = 4 };

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list lists[LISTS];
    unsigned ended;
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    for (unsigned i = 0; i < LISTS; i++)
        starpu_task_list_init(&data->lists[i]);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned number;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    number = data->ended % LISTS;
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    starpu_task_list_push_back(&data->lists[number], task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
    return 0;
}

/* Moves what is left in the list that is seen no longer to the next one. */
static void post_exec(struct starpu_task *task, unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task_list *old;

    (void)task;
    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    old = &data->lists[(data->ended + LISTS - SEEN + 1) % LISTS];
    data->ended++;
    while (!starpu_task_list_empty(old))
        starpu_task_list_push_back(&data->lists[data->ended % LISTS],
                                   starpu_task_list_pop_front(old));
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task = NULL;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    for (unsigned i = 0; i < SEEN && !task; i++)
        task = zoo_take(&data->lists[(data->ended + LISTS - i) % LISTS],
                        starpu_worker_get_id_check());
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("stale-epoch", .init_sched = init, .push_task = push,
           .pop_task = pop, .post_exec_hook = post_exec);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* batch-count: tasks come in batches. A worker that ends a task counts under
 * the mutex, and sees later, under the mutex again, that it was the last one.
 * -DFIXED counts and looks at once. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list batch, later;
    unsigned left;    /* tasks of the batch that have not ended */
    unsigned waiting; /* tasks in the list later */
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->batch);
    starpu_task_list_init(&data->later);
}

/* Begins the next batch, with the mutex locked. */
static void begin_batch(struct data *data)
{
    data->batch = data->later;
    starpu_task_list_init(&data->later);
    data->left = data->waiting;
    data->waiting = 0;
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->later, task);
    data->waiting++;
    if (data->left == 0)
        begin_batch(data);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
    return 0;
}

static void post_exec(struct starpu_task *task, unsigned context)
{
    struct data *data = zoo_data();
    int last;

    (void)task;
    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    data->left--;
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    last = data->left == 0;
#ifndef FIXED
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
#endif
    if (last)
        begin_batch(data);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    zoo_wake_all();
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    struct starpu_task *task;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->batch, starpu_worker_get_id_check());
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("batch-count", .init_sched = init, .push_task = push,
           .pop_task = pop, .post_exec_hook = post_exec);

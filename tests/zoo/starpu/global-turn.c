/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* global-turn: a list for each worker, in turn. The turn is a variable of the
 * file, which outlives the run. -DFIXED keeps it in the data of the policy. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list lists[STARPU_NMAXWORKERS];
    unsigned turn;
};

#ifndef FIXED
static unsigned turn;
#endif

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        starpu_task_list_init(&data->lists[w]);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned worker;
#ifdef FIXED
    unsigned *next = &data->turn;
#else
    unsigned *next = &turn;
#endif

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    do
        worker = (*next)++ % starpu_worker_get_count();
    while (!zoo_can_run(worker, task));
    starpu_task_list_push_back(&data->lists[worker], task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    starpu_wake_worker_relax_light((int)worker);
    return 0;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();
    struct starpu_task *task;

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->lists[worker], worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("global-turn", .init_sched = init, .push_task = push,
           .pop_task = pop);

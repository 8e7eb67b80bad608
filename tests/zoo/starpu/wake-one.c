/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wake-one: each push wakes one worker that sleeps, whether or not it can run
 * the task. -DFIXED wakes one that can. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list tasks;
    int sleeps[STARPU_NMAXWORKERS];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->tasks);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        data->sleeps[w] = 1;
}

static int may_wake(unsigned worker, struct starpu_task *task)
{
#ifdef FIXED
    return zoo_can_run(worker, task);
#else
    (void)worker;
    (void)task;
    return 1;
#endif
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned workers = starpu_worker_get_count();
    unsigned worker = 0;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    while (worker < workers &&
           (!data->sleeps[worker] || !may_wake(worker, task)))
        worker++;
    if (worker < workers)
        data->sleeps[worker] = 0;
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    if (worker < workers)
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
    task = zoo_take(&data->tasks, worker);
    data->sleeps[worker] = !task;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("wake-one", .init_sched = init, .push_task = push, .pop_task = pop);

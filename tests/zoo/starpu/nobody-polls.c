/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* nobody-polls: a task goes to a worker that sleeps; if none does, into a
 * backlog, from which a worker that ends a task gets one, but none that pops.
 * -DFIXED looks there in pop, too. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list backlog;
    struct starpu_task_list lists[STARPU_NMAXWORKERS];
    int sleeps[STARPU_NMAXWORKERS];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->backlog);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        starpu_task_list_init(&data->lists[w]);
        data->sleeps[w] = 1;
    }
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned workers = starpu_worker_get_count();
    unsigned worker = 0;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    while (worker < workers &&
           (!data->sleeps[worker] || !zoo_can_run(worker, task)))
        worker++;
    if (worker < workers)
        data->sleeps[worker] = 0;
    starpu_task_list_push_back(
        worker < workers ? &data->lists[worker] : &data->backlog, task);
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
    task = zoo_take(&data->lists[worker], worker);
#ifdef FIXED
    if (!task)
        task = zoo_take(&data->backlog, worker);
#endif
    data->sleeps[worker] = !task;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

static void post_exec(struct starpu_task *task, unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();

    (void)context;
    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = zoo_take(&data->backlog, worker);
    if (task)
        starpu_task_list_push_back(&data->lists[worker], task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
}

ZOO_POLICY("nobody-polls", .init_sched = init, .push_task = push,
           .pop_task = pop, .post_exec_hook = post_exec);

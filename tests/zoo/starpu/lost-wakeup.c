/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lost-wakeup: the list of tasks and the table of idle workers have a mutex
 * each, and a worker that has found no task puts itself into the table too
 * late. -DFIXED is idle before it looks. */
#include "tests/zoo/starpu/zoo.h"

struct data {
    starpu_pthread_mutex_t tasks_mutex, idle_mutex;
    struct starpu_task_list tasks;
    int idle[STARPU_NMAXWORKERS];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->tasks_mutex, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&data->idle_mutex, NULL);
    starpu_task_list_init(&data->tasks);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++)
        data->idle[w] = 1;
}

/* Which workers are idle. None is from now on. */
static void take_idle(struct data *data, int *idle)
{
    STARPU_PTHREAD_MUTEX_LOCK(&data->idle_mutex);
    memcpy(idle, data->idle, sizeof(data->idle));
    memset(data->idle, 0, sizeof(data->idle));
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->idle_mutex);
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    int idle[STARPU_NMAXWORKERS];

    STARPU_PTHREAD_MUTEX_LOCK(&data->tasks_mutex);
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->tasks_mutex);
    take_idle(data, idle);
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        if (idle[w])
            starpu_wake_worker_relax_light((int)w);
    }
    return 0;
}

static void set_idle(struct data *data, unsigned worker, int idle)
{
    STARPU_PTHREAD_MUTEX_LOCK(&data->idle_mutex);
    data->idle[worker] = idle;
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->idle_mutex);
}

static struct starpu_task *look(struct data *data, unsigned worker)
{
    struct starpu_task *task;

    STARPU_PTHREAD_MUTEX_LOCK(&data->tasks_mutex);
    task = zoo_take(&data->tasks, worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->tasks_mutex);
    return task;
}

static struct starpu_task *pop(unsigned context)
{
    struct data *data = zoo_data();
    unsigned worker = starpu_worker_get_id_check();
    struct starpu_task *task;

    (void)context;
#ifdef FIXED
    set_idle(data, worker, 1);
    task = look(data, worker);
#else
    task = look(data, worker);
    set_idle(data, worker, !task);
#endif
    return task;
}

ZOO_POLICY("lost-wakeup", .init_sched = init, .push_task = push,
           .pop_task = pop);

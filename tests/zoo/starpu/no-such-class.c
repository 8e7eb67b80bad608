/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* no-such-class: panels are for CPUs, all other tasks for GPUs, even if there
 * is no worker of that class. -DFIXED asks. */
#include "tests/zoo/starpu/zoo.h"

enum { FOR_CPUS, FOR_GPUS, CLASSES };

struct data {
    starpu_pthread_mutex_t mutex;
    struct starpu_task_list lists[CLASSES];
};

static void init(unsigned context)
{
    struct data *data = zoo_data_new(sizeof(*data));

    (void)context;
    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    for (unsigned i = 0; i < CLASSES; i++)
        starpu_task_list_init(&data->lists[i]);
}

static unsigned class_of_worker(unsigned worker)
{
    return starpu_worker_get_type((int)worker) == STARPU_CPU_WORKER ? FOR_CPUS
                                                                    : FOR_GPUS;
}

static unsigned class_of_task(struct starpu_task *task)
{
    int is_panel = strcmp(starpu_task_get_name(task), "potrf") == 0;
    unsigned class = is_panel ? FOR_CPUS : FOR_GPUS;

#ifdef FIXED
    for (unsigned w = 0; w < starpu_worker_get_count(); w++) {
        if (class_of_worker(w) == class && zoo_can_run(w, task))
            return class;
    }
    return is_panel ? FOR_GPUS : FOR_CPUS;
#endif
    return class;
}

static int push(struct starpu_task *task)
{
    struct data *data = zoo_data();
    unsigned class = class_of_task(task);

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->lists[class], task);
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
    task = zoo_take(&data->lists[class_of_worker(worker)], worker);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

ZOO_POLICY("no-such-class", .init_sched = init, .push_task = push,
           .pop_task = pop);

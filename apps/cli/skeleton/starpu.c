/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * skeleton: one list that all workers share, under a mutex. A worker takes the
 * oldest task that it can run.
 *
 * This is StarPU's interface of policies: the same file runs in StarPU. Every
 * worker, and the application, may be in these functions at the same time.
 * Something to begin with: starpu_scheduler.h says what else a policy may do,
 * docs/STARPU.md which of its functions Orrery has, docs/SCHEDULERS.md what to
 * keep in mind.
 */
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>

/* Of the run. Keep nothing in variables of the file: they outlive it. */
struct data {
    starpu_pthread_mutex_t mutex; /* protects the list */
    struct starpu_task_list tasks;
};

static void skeleton_init(unsigned context)
{
    struct data *data = calloc(1, sizeof(*data));

    STARPU_PTHREAD_MUTEX_INIT(&data->mutex, NULL);
    starpu_task_list_init(&data->tasks);
    starpu_sched_ctx_set_policy_data(context, data);
}

static void skeleton_deinit(unsigned context)
{
    struct data *data = starpu_sched_ctx_get_policy_data(context);

    STARPU_PTHREAD_MUTEX_DESTROY(&data->mutex);
    free(data);
}

static void wake_all(unsigned context)
{
    struct starpu_worker_collection *workers =
        starpu_sched_ctx_get_worker_collection(context);
    struct starpu_sched_ctx_iterator it;

    workers->init_iterator(workers, &it);
    while (workers->has_next(workers, &it))
        starpu_wake_worker_relax_light(workers->get_next(workers, &it));
}

/* The task is ready: some worker can run it. Once it is in the list and the
 * mutex is unlocked, it may run and be freed. */
static int skeleton_push(struct starpu_task *task)
{
    unsigned context = task->sched_ctx;
    struct data *data = starpu_sched_ctx_get_policy_data(context);

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    starpu_task_list_push_back(&data->tasks, task);
    starpu_push_task_end(task);
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);

    /* Whoever queues wakes, and after that, or a worker looks too early. */
    wake_all(context);
    return 0;
}

/* The oldest task that the worker can run, out of the list. */
static struct starpu_task *take(struct data *data, unsigned worker)
{
    struct starpu_task *task = starpu_task_list_begin(&data->tasks);
    unsigned implementation;

    while (task != starpu_task_list_end(&data->tasks) &&
           !starpu_worker_can_execute_task_first_impl(worker, task,
                                                      &implementation))
        task = starpu_task_list_next(task);
    if (task == starpu_task_list_end(&data->tasks))
        return NULL;
    starpu_task_list_erase(&data->tasks, task);
    starpu_task_set_implementation(task, implementation);
    return task;
}

/* The worker asks for a task that it can run; NULL: there is none for it. Never
 * wait here: a worker that waits does nothing else. */
static struct starpu_task *skeleton_pop(unsigned context)
{
    struct data *data = starpu_sched_ctx_get_policy_data(context);
    struct starpu_task *task;

    STARPU_PTHREAD_MUTEX_LOCK(&data->mutex);
    task = take(data, starpu_worker_get_id_check());
    STARPU_PTHREAD_MUTEX_UNLOCK(&data->mutex);
    return task;
}

static struct starpu_sched_policy skeleton_policy = {
    .policy_name = "skeleton",
    .policy_description = "one shared list, first come first served",
    .worker_type = STARPU_WORKER_LIST,
    .init_sched = skeleton_init,
    .deinit_sched = skeleton_deinit,
    .push_task = skeleton_push,
    .pop_task = skeleton_pop,
};

/* By these, StarPU finds the policies of a file (STARPU_SCHED_LIB). */
struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
    return strcmp(name, "skeleton") == 0 ? &skeleton_policy : NULL;
}

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
    static struct starpu_sched_policy *policies[] = {&skeleton_policy, NULL};

    return policies;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_ZOO_H
#define ORR_STARPU_ZOO_H

#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdlib.h>
#include <string.h>

/*
 * The policies of this folder have the errors that tests/zoo/ describes under
 * the same names, in StarPU's interface. -DFIXED makes a correct version of
 * each. The number of the context is 0 in all of them.
 */

/* New data of the policy, all zero. */
static inline void *zoo_data_new(size_t size)
{
    void *data = calloc(1, size);

    starpu_sched_ctx_set_policy_data(0, data);
    return data;
}

static inline void *zoo_data(void)
{
    return starpu_sched_ctx_get_policy_data(0);
}

static inline void zoo_deinit(unsigned context)
{
    (void)context;
    free(zoo_data());
}

/* Whether @worker can run @task, which is to run the first implementation that
 * it can run. */
static inline int zoo_can_run(unsigned worker, struct starpu_task *task)
{
    unsigned implementation;

    if (!starpu_worker_can_execute_task_first_impl(worker, task,
                                                   &implementation))
        return 0;
    starpu_task_set_implementation(task, implementation);
    return 1;
}

/* The first task of @tasks that @worker can run; NULL: none. */
static inline struct starpu_task *zoo_find(const struct starpu_task_list *tasks,
                                           unsigned worker)
{
    struct starpu_task *task = starpu_task_list_begin(tasks);

    while (task != starpu_task_list_end(tasks) && !zoo_can_run(worker, task))
        task = starpu_task_list_next(task);
    return task;
}

/* zoo_find(), and takes the task from @tasks. */
static inline struct starpu_task *zoo_take(struct starpu_task_list *tasks,
                                           unsigned worker)
{
    struct starpu_task *task = zoo_find(tasks, worker);

    if (task)
        starpu_task_list_erase(tasks, task);
    return task;
}

static inline void zoo_wake_all(void)
{
    struct starpu_worker_collection *workers =
        starpu_sched_ctx_get_worker_collection(0);
    struct starpu_sched_ctx_iterator it;

    workers->init_iterator(workers, &it);
    while (workers->has_next(workers, &it))
        starpu_wake_worker_relax_light(workers->get_next(workers, &it));
}

/* The table of the policy @title, with these members, and the functions by
 * which StarPU finds it in a file. */
#define ZOO_POLICY(title, ...)                                                 \
    static struct starpu_sched_policy zoo_policy = {                           \
        .policy_name = title,                                                  \
        .policy_description = "policy with an error",                          \
        .worker_type = STARPU_WORKER_LIST,                                     \
        .deinit_sched = zoo_deinit,                                            \
        __VA_ARGS__};                                                          \
    struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)  \
    {                                                                          \
        return strcmp(name, title) == 0 ? &zoo_policy : NULL;                  \
    }                                                                          \
    struct starpu_sched_policy **starpu_get_sched_lib_policies(void)           \
    {                                                                          \
        static struct starpu_sched_policy *policies[] = {&zoo_policy, NULL};   \
        return policies;                                                       \
    }                                                                          \
    _Static_assert(sizeof(title) > 1, "a name")

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of tasks by priority. As in StarPU, the number of tasks is counted at
 * pushes and pops, and not at erase(). */
#include "apps/starpu/base/error.h"
#include "apps/starpu/queue/ready.h"

#include <schedulers/starpu_scheduler_toolbox.h>

void starpu_st_prio_deque_init(starpu_st_prio_deque_t deque)
{
    *deque = (struct starpu_st_prio_deque){0};
    starpu_task_prio_list_init(&deque->list);
}

void starpu_st_prio_deque_destroy(starpu_st_prio_deque_t deque)
{
    starpu_task_prio_list_deinit(&deque->list);
}

int starpu_st_prio_deque_is_empty(starpu_st_prio_deque_t deque)
{
    return deque->ntasks == 0;
}

int starpu_st_prio_deque_push_front_task(starpu_st_prio_deque_t deque,
                                         struct starpu_task *task)
{
    starpu_task_prio_list_push_front(&deque->list, task);
    deque->ntasks++;
    return 0;
}

int starpu_st_prio_deque_push_back_task(starpu_st_prio_deque_t deque,
                                        struct starpu_task *task)
{
    starpu_task_prio_list_push_back(&deque->list, task);
    deque->ntasks++;
    return 0;
}

void starpu_st_prio_deque_erase(starpu_st_prio_deque_t deque,
                                struct starpu_task *task)
{
    starpu_task_prio_list_erase(&deque->list, task);
}

struct starpu_task *
starpu_st_prio_deque_highest_task(starpu_st_prio_deque_t deque)
{
    return starpu_task_prio_list_front_highest(&deque->list);
}

/* Counts @task, which was popped; NULL: none was. */
static struct starpu_task *popped(starpu_st_prio_deque_t deque,
                                  struct starpu_task *task)
{
    if (task)
        deque->ntasks--;
    return task;
}

struct starpu_task *starpu_st_prio_deque_pop_task(starpu_st_prio_deque_t deque)
{
    return popped(deque, starpu_task_prio_list_pop_front_highest(&deque->list));
}

struct starpu_task *
starpu_st_prio_deque_pop_back_task(starpu_st_prio_deque_t deque)
{
    return popped(deque, starpu_task_prio_list_pop_back_lowest(&deque->list));
}

int starpu_st_prio_deque_pop_this_task(starpu_st_prio_deque_t deque, int worker,
                                       struct starpu_task *task)
{
    unsigned implementation = 0;

    if (worker >= 0 && !starpu_worker_can_execute_task_first_impl(
                           (unsigned)worker, task, &implementation))
        return 0;
    starpu_task_set_implementation(task, implementation);
    starpu_task_prio_list_erase(&deque->list, task);
    deque->ntasks--;
    return 1;
}

/* Pops the first task that @worker can run, from @task on in the order of
 * @next. @skipped: the task before it, or NULL. */
static struct starpu_task *
pop_from(starpu_st_prio_deque_t deque, struct starpu_task *task,
         struct starpu_task *(*next)(struct starpu_task_prio_list *list,
                                     const struct starpu_task *task),
         int worker, struct starpu_task **skipped)
{
    struct starpu_task *last = NULL;

    while (task && !starpu_st_prio_deque_pop_this_task(deque, worker, task)) {
        last = task;
        task = next(&deque->list, task);
    }
    if (skipped)
        *skipped = last;
    return task;
}

static void need_worker(int worker, const char *call)
{
    if (worker < 0 || (unsigned)worker >= starpu_worker_get_count())
        sp_fail(call, "there is no worker %d", worker);
}

struct starpu_task *starpu_st_prio_deque_pop_task_for_worker(
    starpu_st_prio_deque_t deque, int worker, struct starpu_task **skipped)
{
    need_worker(worker, "starpu_st_prio_deque_pop_task_for_worker()");
    return pop_from(deque, starpu_task_prio_list_begin(&deque->list),
                    starpu_task_prio_list_next, worker, skipped);
}

struct starpu_task *starpu_st_prio_deque_deque_task_for_worker(
    starpu_st_prio_deque_t deque, int worker, struct starpu_task **skipped)
{
    need_worker(worker, "starpu_st_prio_deque_deque_task_for_worker()");
    return pop_from(deque, starpu_task_prio_list_back_highest(&deque->list),
                    starpu_task_prio_list_prev_highest, worker, skipped);
}

struct starpu_task *
starpu_st_prio_deque_deque_first_ready_task(starpu_st_prio_deque_t deque,
                                            unsigned worker)
{
    struct starpu_task *first = starpu_st_prio_deque_highest_task(deque);

    if (!first || deque->ntasks == 0)
        return NULL;
    /* The links of a task lead through its own priority, the highest. */
    struct starpu_task *task = sp_ready_best(first, worker, false);
    starpu_task_prio_list_erase(&deque->list, task);
    return popped(deque, task);
}

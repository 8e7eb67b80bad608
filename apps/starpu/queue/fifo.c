/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/queue/ready.h"

#include <schedulers/starpu_scheduler_toolbox.h>

/*
 * A list of tasks, and figures about it that the policy keeps itself. Tasks
 * with a priority above 0 are pushed where they belong by falling priority. As
 * the functions do not check the number of tasks, which the policy may change,
 * against the list, they do the same to it as StarPU's.
 */
struct starpu_st_fifo_taskq {
    struct starpu_task_list tasks;
    unsigned ntasks, nprocessed;
    double exp_start, exp_end, exp_len, pipeline_len; /* microseconds */
};

void starpu_st_fifo_taskq_init(starpu_st_fifo_taskq_t fifo)
{
    double now = starpu_timing_now();

    *fifo = (struct starpu_st_fifo_taskq){.exp_start = now, .exp_end = now};
}

starpu_st_fifo_taskq_t starpu_st_fifo_taskq_create(void)
{
    starpu_st_fifo_taskq_t fifo = g_new(struct starpu_st_fifo_taskq, 1);

    starpu_st_fifo_taskq_init(fifo);
    return fifo;
}

void starpu_st_fifo_taskq_destroy(starpu_st_fifo_taskq_t fifo)
{
    g_free(fifo);
}

int starpu_st_fifo_taskq_empty(starpu_st_fifo_taskq_t fifo)
{
    return fifo->ntasks == 0;
}

unsigned starpu_st_fifo_ntasks_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->ntasks;
}

void starpu_st_fifo_ntasks_inc(starpu_st_fifo_taskq_t fifo, int n)
{
    fifo->ntasks += (unsigned)n;
}

/* No function gives a queue places for figures of each priority. */
unsigned *starpu_st_fifo_ntasks_per_priority_get(starpu_st_fifo_taskq_t fifo)
{
    (void)fifo;
    return NULL;
}

double *starpu_st_fifo_exp_len_per_priority_get(starpu_st_fifo_taskq_t fifo)
{
    (void)fifo;
    return NULL;
}

unsigned starpu_st_fifo_nprocessed_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->nprocessed;
}

void starpu_st_fifo_nprocessed_inc(starpu_st_fifo_taskq_t fifo, int n)
{
    fifo->nprocessed += (unsigned)n;
}

double starpu_st_fifo_exp_start_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->exp_start;
}

void starpu_st_fifo_exp_start_set(starpu_st_fifo_taskq_t fifo, double start)
{
    fifo->exp_start = start;
}

double starpu_st_fifo_exp_end_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->exp_end;
}

void starpu_st_fifo_exp_end_set(starpu_st_fifo_taskq_t fifo, double end)
{
    fifo->exp_end = end;
}

double starpu_st_fifo_exp_len_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->exp_len;
}

void starpu_st_fifo_exp_len_set(starpu_st_fifo_taskq_t fifo, double length)
{
    fifo->exp_len = length;
}

void starpu_st_fifo_exp_len_inc(starpu_st_fifo_taskq_t fifo, double length)
{
    fifo->exp_len += length;
}

double starpu_st_fifo_pipeline_len_get(starpu_st_fifo_taskq_t fifo)
{
    return fifo->pipeline_len;
}

void starpu_st_fifo_pipeline_len_set(starpu_st_fifo_taskq_t fifo, double length)
{
    fifo->pipeline_len = length;
}

void starpu_st_fifo_pipeline_len_inc(starpu_st_fifo_taskq_t fifo, double length)
{
    fifo->pipeline_len += length;
}

/* The task before which @task belongs by its priority; NULL: it belongs at the
 * end. That is so, too, if both ends of the list have its priority, even if
 * the list is not in order. */
static struct starpu_task *find_place(starpu_st_fifo_taskq_t fifo,
                                      const struct starpu_task *task)
{
    struct starpu_task *place = fifo->tasks.head;

    if (place && place->priority == task->priority &&
        fifo->tasks.tail->priority == task->priority)
        return NULL;
    while (place && place->priority >= task->priority)
        place = place->next;
    return place;
}

double starpu_st_fifo_taskq_get_exp_len_prev_task_list(
    starpu_st_fifo_taskq_t fifo, struct starpu_task *task, int worker,
    int implementation, int *count)
{
    struct starpu_task *place = find_place(fifo, task);
    double length = fifo->pipeline_len;

    if (!fifo->tasks.head || place == fifo->tasks.head)
        return length;
    if (!place) {
        *count = (int)fifo->ntasks;
        return fifo->exp_len;
    }
    struct starpu_perfmodel_arch *arch =
        starpu_worker_get_perf_archtype(worker, task->sched_ctx);
    *count = 0;
    for (struct starpu_task *t = fifo->tasks.head; t != place; t = t->next) {
        length +=
            starpu_task_expected_length(t, arch, (unsigned)implementation);
        ++*count;
    }
    return length;
}

int starpu_st_fifo_taskq_push_sorted_task(starpu_st_fifo_taskq_t fifo,
                                          struct starpu_task *task)
{
    struct starpu_task *place = find_place(fifo, task);

    if (place)
        starpu_task_list_insert_before(&fifo->tasks, task, place);
    else
        starpu_task_list_push_back(&fifo->tasks, task);
    fifo->ntasks++;
    fifo->nprocessed++;
    return 0;
}

int starpu_st_fifo_taskq_push_task(starpu_st_fifo_taskq_t fifo,
                                   struct starpu_task *task)
{
    if (task->priority > 0)
        return starpu_st_fifo_taskq_push_sorted_task(fifo, task);
    starpu_task_list_push_back(&fifo->tasks, task);
    fifo->ntasks++;
    fifo->nprocessed++;
    return 0;
}

/* "Back" to where tasks are popped: it was popped before. */
int starpu_st_fifo_taskq_push_back_task(starpu_st_fifo_taskq_t fifo,
                                        struct starpu_task *task)
{
    if (task->priority > 0)
        return starpu_st_fifo_taskq_push_sorted_task(fifo, task);
    starpu_task_list_push_front(&fifo->tasks, task);
    fifo->ntasks++;
    return 0;
}

int starpu_st_fifo_taskq_pop_this_task(starpu_st_fifo_taskq_t fifo, int worker,
                                       struct starpu_task *task)
{
    unsigned implementation = 0;

    if (!task)
        sp_fail("starpu_st_fifo_taskq_pop_this_task()", "the task is NULL");
    if (worker >= 0 && !starpu_worker_can_execute_task_first_impl(
                           (unsigned)worker, task, &implementation))
        return 0;
    starpu_task_set_implementation(task, implementation);
    starpu_task_list_erase(&fifo->tasks, task);
    fifo->ntasks--;
    return 1;
}

struct starpu_task *starpu_st_fifo_taskq_pop_task(starpu_st_fifo_taskq_t fifo,
                                                  int worker)
{
    for (struct starpu_task *task = fifo->tasks.head; task; task = task->next)
        if (starpu_st_fifo_taskq_pop_this_task(fifo, worker, task))
            return task;
    return NULL;
}

struct starpu_task *
starpu_st_fifo_taskq_pop_local_task(starpu_st_fifo_taskq_t fifo)
{
    struct starpu_task *task = starpu_task_list_pop_front(&fifo->tasks);

    if (task)
        fifo->ntasks--;
    return task;
}

static struct starpu_task *pop_ready(starpu_st_fifo_taskq_t fifo,
                                     unsigned worker, int priorities,
                                     bool any_priority)
{
    if (priorities != -1)
        sp_fail("starpu_st_fifo_taskq_pop_first_ready_task()",
                "num_priorities is %d: expected -1, as the queue has no "
                "figures of each priority",
                priorities);
    if (fifo->ntasks == 0)
        return NULL;
    fifo->ntasks--;
    struct starpu_task *task =
        sp_ready_best(fifo->tasks.head, worker, any_priority);
    if (task)
        starpu_task_list_erase(&fifo->tasks, task);
    return task;
}

struct starpu_task *
starpu_st_fifo_taskq_pop_first_ready_task(starpu_st_fifo_taskq_t fifo,
                                          unsigned worker, int priorities)
{
    return pop_ready(fifo, worker, priorities, false);
}

struct starpu_task *starpu_st_fifo_taskq_pop_first_ready_task_ready_first(
    starpu_st_fifo_taskq_t fifo, unsigned worker, int priorities)
{
    return pop_ready(fifo, worker, priorities, true);
}

/* Widths of ranges wrap around, as they do in StarPU. */
int starpu_st_normalize_prio(int priority, int priorities, unsigned context)
{
    int min = starpu_sched_ctx_get_min_priority(context);
    int max = starpu_sched_ctx_get_max_priority(context);
    int range = (int)((unsigned)max - (unsigned)min);

    if (range == 0)
        sp_fail("starpu_st_normalize_prio()",
                "the lowest and the highest priority are both %d", min);
    unsigned width = (unsigned)((priorities - 1) / range);
    return (int)(width * ((unsigned)priority - (unsigned)min));
}

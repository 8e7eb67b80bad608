/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fifo and prio: components with a queue, which may refuse tasks when it is
 * full. A task that children could not take goes back to the front. Predictions
 * are as in worker.c, if the creator wants them: parents choose by them.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu_helper.h>
#include <starpu_perfmodel.h>
#include <starpu_task.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <math.h>

struct queue;

struct queue_kind {
    void (*push)(struct queue *queue, struct starpu_task *task);
    void (*push_front)(struct queue *queue, struct starpu_task *task);
    struct starpu_task *(*pop)(struct queue *queue,
                               struct starpu_sched_component *to);
    void (*clear)(struct queue *queue);
};

struct queue {
    const struct queue_kind *kind;
    starpu_st_fifo_taskq_t fifo;
    struct starpu_st_prio_deque deque;
    starpu_pthread_mutex_t mutex;
    unsigned count, most;      /* tasks; most 0: any number */
    double start, length, end; /* us */
    double longest;            /* us; 0: any length */
    bool predicts, ready, ready_first;
    bool warned;
};

/* ---- the two containers ---- */

static void fifo_push(struct queue *queue, struct starpu_task *task)
{
    starpu_st_fifo_taskq_push_task(queue->fifo, task);
}

static void fifo_push_front(struct queue *queue, struct starpu_task *task)
{
    starpu_st_fifo_taskq_push_back_task(queue->fifo, task);
}

/* A task with its data at the memory of @to, if that is what the creator wants
 * and there is one memory; else the first one that workers of @to can run. */
static struct starpu_task *fifo_pop(struct queue *queue,
                                    struct starpu_sched_component *to)
{
    int worker = starpu_bitmap_first(&to->workers_in_ctx);
    if (queue->ready && STARPU_SCHED_COMPONENT_IS_SINGLE_MEMORY_NODE(to))
        return queue->ready_first
                   ? starpu_st_fifo_taskq_pop_first_ready_task_ready_first(
                         queue->fifo, (unsigned)worker, -1)
                   : starpu_st_fifo_taskq_pop_first_ready_task(
                         queue->fifo, (unsigned)worker, -1);
    return starpu_st_fifo_taskq_pop_task(
        queue->fifo, STARPU_SCHED_COMPONENT_IS_HOMOGENEOUS(to) ? worker : -1);
}

static void fifo_clear(struct queue *queue)
{
    starpu_st_fifo_taskq_destroy(queue->fifo);
}

static const struct queue_kind fifo_kind = {
    .push = fifo_push,
    .push_front = fifo_push_front,
    .pop = fifo_pop,
    .clear = fifo_clear,
};

static void prio_push(struct queue *queue, struct starpu_task *task)
{
    starpu_st_prio_deque_push_back_task(&queue->deque, task);
}

static void prio_push_front(struct queue *queue, struct starpu_task *task)
{
    starpu_st_prio_deque_push_front_task(&queue->deque, task);
}

static struct starpu_task *prio_pop(struct queue *queue,
                                    struct starpu_sched_component *to)
{
    int worker = starpu_bitmap_first(&to->workers_in_ctx);
    if (queue->ready && STARPU_SCHED_COMPONENT_IS_SINGLE_MEMORY_NODE(to))
        return starpu_st_prio_deque_deque_first_ready_task(&queue->deque,
                                                           (unsigned)worker);
    return starpu_st_prio_deque_pop_task(&queue->deque);
}

static void prio_clear(struct queue *queue)
{
    starpu_st_prio_deque_destroy(&queue->deque);
}

static const struct queue_kind prio_kind = {
    .push = prio_push,
    .push_front = prio_push_front,
    .pop = prio_pop,
    .clear = prio_clear,
};

/* ---- predictions ---- */

static void warn_once(struct queue *queue, double length)
{
    if (queue->warned || !(length > queue->longest))
        return;
    queue->warned = true;
    sp_warn("a task of %g us is longer than the longest queue of a component, "
            "%g us: see STARPU_EXP_LEN_THRESHOLD",
            length, queue->longest);
}

static double queue_estimated_end(struct starpu_sched_component *component)
{
    const struct queue *queue = component->data;
    return starpu_sched_component_estimated_end_min_add(component,
                                                        queue->length);
}

/* The part of the transfer of @task that does not overlap with tasks before it.
 */
static double exposed_transfer(struct starpu_sched_component *component,
                               struct starpu_task *task, double now)
{
    double end = queue_estimated_end(component);
    double there = now + task->predicted_transfer;
    return there < end ? 0 : there - end;
}

/* @task is going to be in the queue. Returns whether it gets too long. */
static bool predict(struct starpu_sched_component *component,
                    struct starpu_task *task, double now, bool back)
{
    struct queue *queue = component->data;
    double length = queue->length;
    if (!isnan(task->predicted))
        length += task->predicted;
    if (!back && queue->longest > 0 && length >= queue->longest) {
        warn_once(queue, task->predicted);
        return true;
    }
    if (!isnan(task->predicted_transfer)) {
        task->predicted_transfer = exposed_transfer(component, task, now);
        length += task->predicted_transfer;
    }
    if (!isnan(task->predicted)) {
        queue->length = length;
        queue->end = queue->start + length;
    }
    return false;
}

/* @task has left the queue. Rounding can bring the length below 0. */
static void predict_without(struct queue *queue, struct starpu_task *task,
                            double now)
{
    if (!isnan(task->predicted)) {
        queue->length = MAX(queue->length - task->predicted, 0);
        queue->start = now + task->predicted;
    }
    if (!isnan(task->predicted_transfer)) {
        double transfer = MIN(task->predicted_transfer, queue->length);
        queue->start += transfer;
        queue->length -= transfer;
    }
    queue->end = queue->start + queue->length;
    if (queue->count == 0)
        queue->length = 0;
}

/* The mean speed of the workers below. */
static double mean_speed(struct starpu_sched_component *component)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    double sum = 0;
    int count = 0;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w)) {
        sum += starpu_worker_get_relative_speedup(
            starpu_worker_get_perf_archtype(w, component->tree->sched_ctx_id));
        count++;
        if (STARPU_SCHED_COMPONENT_IS_HOMOGENEOUS(component))
            break;
    }
    return sum / count;
}

static double queue_estimated_load(struct starpu_sched_component *component)
{
    struct queue *queue = component->data;
    double load = starpu_sched_component_estimated_load(component);
    double speed = mean_speed(component);
    STARPU_COMPONENT_MUTEX_LOCK(&queue->mutex);
    load += queue->count / speed;
    STARPU_COMPONENT_MUTEX_UNLOCK(&queue->mutex);
    return load;
}

/* ---- methods ---- */

/* @back: children could not take @task, which came from here. Returns 1 if the
 * queue is full. */
static int put(struct starpu_sched_component *component,
               struct starpu_task *task, bool back)
{
    struct queue *queue = component->data;
    double now = starpu_timing_now();
    sp_component_need_able(component, task,
                           "starpu_sched_component_push_task()");
    STARPU_COMPONENT_MUTEX_LOCK(&queue->mutex);
    bool full = !back && queue->most > 0 && queue->count >= queue->most;
    if (!full && queue->predicts)
        full = predict(component, task, now, back);
    if (full) {
        STARPU_COMPONENT_MUTEX_UNLOCK(&queue->mutex);
        return 1;
    }
    queue->count++;
    if (back) {
        queue->kind->push_front(queue, task);
    } else {
        queue->kind->push(queue, task);
        starpu_sched_component_prefetch_on_node(component, task);
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&queue->mutex);
    if (!back)
        component->can_pull(component);
    return 0;
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    struct queue *queue = component->data;
    struct starpu_task *task = NULL;
    double now = starpu_timing_now();
    if (queue->count > 0) {
        STARPU_COMPONENT_MUTEX_LOCK(&queue->mutex);
        task = queue->kind->pop(queue, to);
        queue->count -= task != NULL;
        if (task && queue->predicts)
            predict_without(queue, task, now);
        STARPU_COMPONENT_MUTEX_UNLOCK(&queue->mutex);
    }
    starpu_sched_component_send_can_push_to_parents(component);
    return task;
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *to)
{
    int pushed = 0;
    (void)to;
    struct starpu_task *task =
        starpu_sched_component_pump_downstream(component, &pushed);
    if (task)
        put(component, task, true);
    return pushed;
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct queue *queue = component->data;
    queue->kind->clear(queue);
    STARPU_PTHREAD_MUTEX_DESTROY(&queue->mutex);
    g_free(queue);
}

static struct starpu_sched_component *create(struct starpu_sched_tree *tree,
                                             const char *name,
                                             const struct queue_kind *kind)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, name);
    struct queue *queue = g_new0(struct queue, 1);
    queue->kind = kind;
    STARPU_PTHREAD_MUTEX_INIT(&queue->mutex, NULL);
    component->data = queue;
    component->pull_task = pull;
    component->can_push = can_push;
    component->estimated_end = queue_estimated_end;
    component->estimated_load = queue_estimated_load;
    component->deinit_data = deinit_data;
    return component;
}

/* ---- fifo ---- */

static int push_to_fifo(struct starpu_sched_component *component,
                        struct starpu_task *task)
{
    return put(component, task, false);
}

struct starpu_sched_component *starpu_sched_component_fifo_create(
    struct starpu_sched_tree *tree,
    struct starpu_sched_component_fifo_data *data)
{
    struct starpu_sched_component *component = create(tree, "fifo", &fifo_kind);
    struct queue *queue = component->data;
    component->push_task = push_to_fifo;
    queue->fifo = starpu_st_fifo_taskq_create();
    queue->start = queue->end = starpu_timing_now();
    if (data) {
        queue->most = data->ntasks_threshold;
        queue->longest = data->exp_len_threshold;
        queue->ready = data->ready;
        queue->predicts = data->exp;
        queue->ready_first = data->ready_first;
    }
    return component;
}

int starpu_sched_component_is_fifo(struct starpu_sched_component *component)
{
    return component->push_task == push_to_fifo;
}

/* ---- prio ---- */

static int push_to_prio(struct starpu_sched_component *component,
                        struct starpu_task *task)
{
    return put(component, task, false);
}

struct starpu_sched_component *starpu_sched_component_prio_create(
    struct starpu_sched_tree *tree,
    struct starpu_sched_component_prio_data *data)
{
    struct starpu_sched_component *component = create(tree, "prio", &prio_kind);
    struct queue *queue = component->data;
    component->push_task = push_to_prio;
    starpu_st_prio_deque_init(&queue->deque);
    if (data) {
        queue->most = data->ntasks_threshold;
        queue->longest = data->exp_len_threshold;
        queue->ready = data->ready;
        queue->predicts = data->exp;
    }
    return component;
}

int starpu_sched_component_is_prio(struct starpu_sched_component *component)
{
    return component->push_task == push_to_prio;
}

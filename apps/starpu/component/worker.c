/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The leaves of a tree: workers. Each has a queue of tasks that were pushed to
 * it, and predicts when it has executed all that it got: a task counts with its
 * transfer and its computation while it is queued; the driver, which works
 * ahead, has it in its pipeline until it ends.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"

#include <starpu_helper.h>
#include <starpu_perfmodel.h>
#include <starpu_task.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <math.h>

struct leaf {
    int worker;
    GQueue tasks;              /* struct starpu_task */
    double start, length, end; /* us, of the tasks in the queue */
    double pipeline_length;    /* us */
    unsigned pipeline_tasks;
    starpu_pthread_mutex_t mutex;
};

static struct starpu_sched_component
    *leaves[STARPU_NMAX_SCHED_CTXS][STARPU_NMAXWORKERS];

/* ---- predictions ---- */

static void predict_end(struct leaf *leaf)
{
    leaf->end = leaf->start + leaf->length;
}

/* The part of its transfer counts that does not overlap with earlier tasks. */
static void add(struct leaf *leaf, struct starpu_task *task)
{
    double now = starpu_timing_now();
    double there = now + task->predicted_transfer;
    leaf->start = MAX(leaf->start, now);
    task->predicted_transfer = there < leaf->end ? 0 : there - leaf->end;
    if (!isnan(task->predicted_transfer))
        leaf->length += task->predicted_transfer;
    if (!isnan(task->predicted))
        leaf->length += task->predicted;
    predict_end(leaf);
    leaf->pipeline_tasks++;
}

/* @length more is in the pipeline. */
static void move_to_pipeline(struct leaf *leaf, double length)
{
    leaf->length -= length;
    leaf->pipeline_length += length;
    leaf->start = starpu_timing_now() + leaf->pipeline_length;
    predict_end(leaf);
}

/* The driver gets the task, and its transfer begins. */
static void hand_over(struct leaf *leaf, struct starpu_task *task)
{
    if (!isnan(task->predicted_transfer))
        move_to_pipeline(leaf, task->predicted_transfer);
    starpu_push_task_end(task);
}

/* The transfer is over, and the computation begins. */
static void begin(struct leaf *leaf, struct starpu_task *task)
{
    if (!isnan(task->predicted_transfer))
        leaf->pipeline_length -= task->predicted_transfer;
    if (!isnan(task->predicted))
        move_to_pipeline(leaf, task->predicted);
}

static void finish(struct leaf *leaf, struct starpu_task *task)
{
    if (!isnan(task->predicted))
        leaf->pipeline_length -= task->predicted;
    if (leaf->pipeline_tasks > 0)
        leaf->pipeline_tasks--;
    leaf->start = MAX(starpu_timing_now() + leaf->pipeline_length, leaf->start);
    predict_end(leaf);
}

/* ---- methods ---- */

static int can_pull(struct starpu_sched_component *component)
{
    const struct leaf *leaf = component->data;
    return starpu_wake_worker_relax_light(leaf->worker);
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct leaf *leaf = component->data;
    task->workerid = (unsigned)leaf->worker;
    if (starpu_get_prefetch_flag() && !task->prefetched)
        starpu_prefetch_task_input_for(task, task->workerid);
    STARPU_COMPONENT_MUTEX_LOCK(&leaf->mutex);
    g_queue_push_tail(&leaf->tasks, task);
    add(leaf, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&leaf->mutex);
    can_pull(component);
    return 0;
}

/* An empty queue begins anew: what has been predicted is forgotten. */
static struct starpu_task *pop_own(struct leaf *leaf)
{
    double now = starpu_timing_now();
    STARPU_COMPONENT_MUTEX_LOCK(&leaf->mutex);
    leaf->start = MAX(now, leaf->start);
    predict_end(leaf);
    struct starpu_task *task = g_queue_pop_head(&leaf->tasks);
    if (task) {
        hand_over(leaf, task);
    } else {
        leaf->length = leaf->pipeline_length = 0;
        leaf->start = leaf->end = starpu_timing_now();
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&leaf->mutex);
    return task;
}

static bool was_woken(void)
{
    return sp_policy_calls() && orr_sched_was_woken(sp_policy.sched);
}

/* Tries again if another one has woken this worker meanwhile. */
static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    enum { TRIES = 2 };
    struct leaf *leaf = component->data;
    struct starpu_task *task = NULL;
    for (unsigned i = 0; i < TRIES && !task; i++) {
        if (i > 0 && !was_woken())
            break;
        task = pop_own(leaf);
        if (task)
            return task;
        task = starpu_sched_component_parents_pull_task(component, to);
    }
    if (!task)
        return NULL;
    STARPU_COMPONENT_MUTEX_LOCK(&leaf->mutex);
    add(leaf, task);
    hand_over(leaf, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&leaf->mutex);
    return task;
}

static double estimated_end(struct starpu_sched_component *component)
{
    struct leaf *leaf = component->data;
    double now = starpu_timing_now();
    if (now > leaf->start) {
        leaf->start = now;
        predict_end(leaf);
    }
    return leaf->end;
}

static double estimated_load(struct starpu_sched_component *component)
{
    const struct leaf *leaf = component->data;
    unsigned count =
        g_queue_get_length((GQueue *)&leaf->tasks) + leaf->pipeline_tasks;
    return count /
           starpu_worker_get_relative_speedup(starpu_worker_get_perf_archtype(
               leaf->worker, component->tree->sched_ctx_id));
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct leaf *leaf = component->data;
    leaves[component->tree->sched_ctx_id][leaf->worker] = NULL;
    g_queue_clear(&leaf->tasks);
    STARPU_PTHREAD_MUTEX_DESTROY(&leaf->mutex);
    g_free(leaf);
}

/* ---- the life of a leaf ---- */

static struct starpu_sched_component *create(struct starpu_sched_tree *tree,
                                             int worker)
{
    g_autofree char *name = g_strdup_printf("worker %d", worker);
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, name);
    struct leaf *leaf = g_new0(struct leaf, 1);
    leaf->worker = worker;
    leaf->start = leaf->end = starpu_timing_now();
    STARPU_PTHREAD_MUTEX_INIT(&leaf->mutex, NULL);
    component->data = leaf;
    component->push_task = push;
    component->pull_task = pull;
    component->can_pull = can_pull;
    component->estimated_end = estimated_end;
    component->estimated_load = estimated_load;
    component->deinit_data = deinit_data;
    starpu_bitmap_set(&component->workers, worker);
    starpu_bitmap_set(&component->workers_in_ctx, worker);
    return component;
}

struct starpu_sched_component *
starpu_sched_component_worker_new(unsigned context, int worker)
{
    static const char call[] = "starpu_sched_component_worker_new()";
    sp_context_need(context, call);
    if (worker < 0 || worker >= (int)starpu_worker_get_count())
        sp_fail(call, "there is no worker %d", worker);
    struct starpu_sched_tree *tree = starpu_sched_tree_get(context);
    if (!tree)
        sp_fail(call, "context %u has no tree", context);
    if (!leaves[context][worker])
        leaves[context][worker] = create(tree, worker);
    return leaves[context][worker];
}

struct starpu_sched_component *
starpu_sched_component_worker_get(unsigned context, int worker)
{
    return starpu_sched_component_worker_new(context, worker);
}

void sp_component_workers_destroy(unsigned context)
{
    for (unsigned w = 0; w < STARPU_NMAXWORKERS; w++)
        if (leaves[context][w])
            starpu_sched_component_destroy(leaves[context][w]);
}

void sp_component_workers_forget(void)
{
    for (unsigned i = 0; i < STARPU_NMAX_SCHED_CTXS; i++)
        for (unsigned w = 0; w < STARPU_NMAXWORKERS; w++)
            leaves[i][w] = NULL;
}

int starpu_sched_component_worker_get_workerid(
    struct starpu_sched_component *component)
{
    if (!starpu_sched_component_is_worker(component))
        sp_fail("starpu_sched_component_worker_get_workerid()",
                "component %s is no worker", component->name);
    return ((const struct leaf *)component->data)->worker;
}

int starpu_sched_component_is_simple_worker(
    struct starpu_sched_component *component)
{
    return component->push_task == push;
}

int starpu_sched_component_is_combined_worker(
    struct starpu_sched_component *component)
{
    (void)component;
    return 0;
}

int starpu_sched_component_is_worker(struct starpu_sched_component *component)
{
    return starpu_sched_component_is_simple_worker(component);
}

/* ---- hooks of policies ---- */

static struct leaf *own_leaf(unsigned context)
{
    unsigned worker = starpu_worker_get_id_check();
    return starpu_sched_component_worker_get(context, (int)worker)->data;
}

void starpu_sched_component_worker_pre_exec_hook(struct starpu_task *task,
                                                 unsigned context)
{
    struct leaf *leaf = own_leaf(context);
    double now = starpu_timing_now();
    STARPU_COMPONENT_MUTEX_LOCK(&leaf->mutex);
    begin(leaf, task);
    leaf->start = MAX(now + leaf->pipeline_length, leaf->start);
    STARPU_COMPONENT_MUTEX_UNLOCK(&leaf->mutex);
}

void starpu_sched_component_worker_post_exec_hook(struct starpu_task *task,
                                                  unsigned context)
{
    if (task->execute_on_a_specific_worker)
        return;
    struct leaf *leaf = own_leaf(context);
    STARPU_COMPONENT_MUTEX_LOCK(&leaf->mutex);
    finish(leaf, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&leaf->mutex);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * heteroprio: tasks in buckets by their acceleration, that is how much faster
 * the best worker is than the worst. GPUs get the most accelerated tasks first,
 * CPUs the least. A task that not all workers can run goes to the child that
 * ends it first, before all others.
 */
#include "apps/starpu/component/mct.h"

#include "apps/starpu/component/component.h"

#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu_perfmodel.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <limits.h>
#include <math.h>

/* Accelerations that are as close are in one bucket. */
static const double closeness = 0.10;

struct bucket {
    float acceleration;
    struct starpu_st_prio_deque deque;
};

struct heteroprio {
    struct orr_sched_weights weights;
    GPtrArray *buckets; /* struct bucket, most accelerated first */
    struct starpu_st_prio_deque others; /* tasks that not all workers can run */
    bool batch;                   /* the queues below know no priorities */
    starpu_pthread_mutex_t mutex; /* of all queues */
    starpu_pthread_mutex_t decision;
};

static void free_bucket(void *bucket)
{
    starpu_st_prio_deque_destroy(&((struct bucket *)bucket)->deque);
    g_free(bucket);
}

/* ---- accelerations ---- */

/* Of the fastest implementation on @worker. NAN or 0: it is not known. */
static double length_on(struct starpu_task *task, int worker, unsigned nimpls)
{
    struct starpu_perfmodel_arch *arch =
        starpu_worker_get_perf_archtype(worker, task->sched_ctx);
    double least = INFINITY;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (!(nimpls & 1U << i))
            continue;
        double length = starpu_task_expected_length(task, arch, i);
        if (isnan(length) || length == 0)
            return length;
        least = MIN(least, length);
    }
    return least;
}

/* 0: a worker cannot run @task, or has no prediction. */
static double acceleration_of(struct starpu_sched_component *component,
                              struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    double least = INFINITY, most = -INFINITY;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w)) {
        unsigned nimpls = 0;
        if (!starpu_worker_can_execute_task_impl((unsigned)w, task, &nimpls))
            return 0;
        double length = length_on(task, w, nimpls);
        if (isnan(length) || length == 0)
            return 0;
        least = MIN(least, length);
        most = MAX(most, length);
    }
    return most / least;
}

static bool is_close(const struct bucket *bucket, double acceleration)
{
    return acceleration >= bucket->acceleration * (1 - closeness) &&
           acceleration <= bucket->acceleration * (1 + closeness);
}

/* A new one unless a bucket is close. */
static struct bucket *bucket_of(struct heteroprio *own, double acceleration)
{
    unsigned place = 0;
    for (unsigned i = 0; i < own->buckets->len; i++) {
        struct bucket *bucket = own->buckets->pdata[i];
        if (is_close(bucket, acceleration))
            return bucket;
        if (acceleration <= bucket->acceleration)
            place = i + 1;
    }
    struct bucket *bucket = g_new(struct bucket, 1);
    bucket->acceleration = (float)acceleration;
    starpu_st_prio_deque_init(&bucket->deque);
    g_ptr_array_insert(own->buckets, (int)place, bucket);
    return bucket;
}

/* ---- accelerated tasks ---- */

/* The first task of the buckets from one end. */
static struct starpu_task *pop_bucket(struct heteroprio *own, bool most_first,
                                      struct bucket **bucket)
{
    struct starpu_task *task = NULL;
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    unsigned count = own->buckets->len;
    for (unsigned i = 0; i < count && !task; i++) {
        *bucket = own->buckets->pdata[most_first ? i : count - 1 - i];
        task = starpu_st_prio_deque_pop_task(&(*bucket)->deque);
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    return task;
}

static void put_back(struct heteroprio *own, starpu_st_prio_deque_t deque,
                     struct starpu_task *task)
{
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    starpu_st_prio_deque_push_front_task(deque, task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
}

static bool has_worker_of(struct starpu_sched_component *component,
                          enum starpu_worker_archtype type)
{
    struct starpu_bitmap *workers = &component->workers;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        if (starpu_worker_get_type(w) == type)
            return true;
    return false;
}

/* Whether @task is done with; else it is for the caller to put back. The best
 * child must have a worker of @type, unless that is STARPU_ANY_WORKER. */
static bool push_to_best(struct starpu_sched_component *component,
                         struct starpu_task *task,
                         enum starpu_worker_archtype type, bool need_offers)
{
    struct heteroprio *own = component->data;
    struct sp_offers offers;
    bool pushed = false;
    sp_offers_init(&offers, component, task);
    struct starpu_sched_component *best = NULL;
    if (offers.count > 0 || !need_offers) {
        STARPU_COMPONENT_MUTEX_LOCK(&own->decision);
        sp_offers_find_ends(&offers, component, task);
        best = sp_offers_choose(&offers, &own->weights, component, task);
        if (best && (type == STARPU_ANY_WORKER || has_worker_of(best, type))) {
            sp_component_need_queue(component, best);
            starpu_sched_task_break(task);
            pushed = !starpu_sched_component_push_task(component, best, task);
        }
        STARPU_COMPONENT_MUTEX_UNLOCK(&own->decision);
    }
    sp_offers_clear(&offers);
    return best ? pushed : !sp_calibration_push(component, task);
}

/* Returns whether a worker of @type got a task. */
static bool push_accelerated(struct starpu_sched_component *component,
                             enum starpu_worker_archtype type, bool most_first)
{
    struct heteroprio *own = component->data;
    struct bucket *bucket = NULL;
    struct starpu_task *task = pop_bucket(own, most_first, &bucket);
    if (!task)
        return false;
    if (own->batch)
        task->priority = INT_MAX;
    if (push_to_best(component, task, type, false))
        return true;
    put_back(own, &bucket->deque, task);
    return false;
}

/* ---- methods ---- */

static bool push_one(struct starpu_sched_component *component)
{
    static const struct {
        enum starpu_worker_archtype type;
        bool most_first;
    } turns[] = {
        {STARPU_CUDA_WORKER, true},   {STARPU_HIP_WORKER, true},
        {STARPU_OPENCL_WORKER, true}, {STARPU_MPI_SC_WORKER, false},
        {STARPU_CPU_WORKER, false},
    };
    struct heteroprio *own = component->data;
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    struct starpu_task *task = starpu_st_prio_deque_pop_task(&own->others);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    if (task && !push_to_best(component, task, STARPU_ANY_WORKER, true))
        put_back(own, &own->others, task);
    for (unsigned i = 0; i < G_N_ELEMENTS(turns); i++)
        if (push_accelerated(component, turns[i].type, turns[i].most_first))
            return true;
    return false;
}

static void push_all(struct starpu_sched_component *component)
{
    while (push_one(component))
        ;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct heteroprio *own = component->data;
    double acceleration = acceleration_of(component, task);
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    starpu_st_prio_deque_push_back_task(
        acceleration > 0 ? &bucket_of(own, acceleration)->deque : &own->others,
        task);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    push_all(component);
    return 0;
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *to)
{
    push_all(component);
    return starpu_sched_component_can_push(component, to);
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct heteroprio *own = component->data;
    g_ptr_array_unref(own->buckets);
    starpu_st_prio_deque_destroy(&own->others);
    STARPU_PTHREAD_MUTEX_DESTROY(&own->mutex);
    STARPU_PTHREAD_MUTEX_DESTROY(&own->decision);
    g_free(own);
}

int starpu_sched_component_is_heteroprio(
    struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *starpu_sched_component_heteroprio_create(
    struct starpu_sched_tree *tree,
    struct starpu_sched_component_heteroprio_data *data)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "heteroprio");
    struct heteroprio *own = g_new0(struct heteroprio, 1);
    own->weights = sp_mct_weights(data ? data->mct : NULL);
    own->buckets = g_ptr_array_new_with_free_func(free_bucket);
    starpu_st_prio_deque_init(&own->others);
    own->batch = data ? data->batch : true;
    STARPU_PTHREAD_MUTEX_INIT(&own->mutex, NULL);
    STARPU_PTHREAD_MUTEX_INIT(&own->decision, NULL);
    component->data = own;
    component->push_task = push;
    component->can_push = can_push;
    component->deinit_data = deinit_data;
    return component;
}

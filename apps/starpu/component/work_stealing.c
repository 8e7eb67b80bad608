/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * work_stealing: a queue for each child. Tasks come to the queues in turn; a
 * child takes its newest task of the highest priority, and steals the oldest
 * one of another child, the next in turn.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <schedulers/starpu_scheduler_toolbox.h>
#include <starpu_perfmodel.h>
#include <starpu_task.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <math.h>

struct lane {
    struct starpu_st_prio_deque deque;
    unsigned count;       /* tasks */
    double start, length; /* us, as far as pushes knew */
    unsigned victim;      /* the child to rob first */
    starpu_pthread_mutex_t mutex;
};

struct stealing {
    GPtrArray *lanes;     /* struct lane, by child */
    unsigned last_pushed; /* the child that got the last task */
};

static struct lane *lane_of(struct starpu_sched_component *component,
                            unsigned child)
{
    struct stealing *stealing = component->data;
    return stealing->lanes->pdata[child];
}

static unsigned child_of(struct starpu_sched_component *component, int worker,
                         const char *call)
{
    for (unsigned i = 0; i < component->nchildren; i++)
        if (starpu_bitmap_get(&component->children[i]->workers, worker))
            return i;
    sp_fail(call, "worker %d is not below component %s", worker,
            component->name);
}

/* ---- pull ---- */

static struct starpu_task *take(struct lane *lane)
{
    double now = starpu_timing_now();
    STARPU_COMPONENT_MUTEX_LOCK(&lane->mutex);
    struct starpu_task *task = starpu_st_prio_deque_pop_task(&lane->deque);
    if (task) {
        lane->count--;
        if (!isnan(task->predicted)) {
            lane->length -= task->predicted;
            lane->start = now + task->predicted;
        }
    } else {
        lane->length = 0;
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&lane->mutex);
    return task;
}

static struct starpu_task *rob(struct lane *lane, int worker)
{
    STARPU_COMPONENT_MUTEX_LOCK(&lane->mutex);
    struct starpu_task *task =
        starpu_st_prio_deque_deque_task_for_worker(&lane->deque, worker, NULL);
    if (task) {
        lane->count--;
        if (!isnan(task->predicted))
            lane->length -= task->predicted;
    }
    STARPU_COMPONENT_MUTEX_UNLOCK(&lane->mutex);
    return task;
}

/* As in StarPU, tries the two children that are next in turn, be they this one.
 */
static struct starpu_task *steal(struct starpu_sched_component *component,
                                 unsigned child, int worker)
{
    enum { TRIES = 2 };
    struct lane *own = lane_of(component, child);
    unsigned count = component->nchildren;
    unsigned victim = own->victim;
    struct starpu_task *task = NULL;
    own->victim = (victim + 1) % count;
    for (unsigned i = 0; i < MIN(TRIES, count) && !task; i++)
        task = rob(lane_of(component, (victim + i) % count), worker);
    if (!task)
        return NULL;
    starpu_sched_task_break(task);
    /* Here StarPU counts what the child has got. */
    STARPU_COMPONENT_MUTEX_LOCK(&own->mutex);
    STARPU_COMPONENT_MUTEX_UNLOCK(&own->mutex);
    return task;
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    int worker = (int)starpu_worker_get_id_check();
    unsigned child =
        child_of(component, worker, "starpu_sched_component_pull_task()");
    struct starpu_task *task = take(lane_of(component, child));
    if (!task)
        task = steal(component, child, worker);
    if (!task)
        task = starpu_sched_component_parents_pull_task(component, to);
    return task;
}

/* ---- push ---- */

/* Whether a worker of @component can run @task; then the implementation is set.
 */
static bool accepts(struct starpu_sched_component *component,
                    struct starpu_task *task)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w)) {
        unsigned nimpl = 0;
        if (starpu_worker_can_execute_task_first_impl((unsigned)w, task,
                                                      &nimpl)) {
            starpu_task_set_implementation(task, nimpl);
            return true;
        }
    }
    return false;
}

static void put(struct lane *lane, struct starpu_task *task, double length)
{
    STARPU_COMPONENT_MUTEX_LOCK(&lane->mutex);
    starpu_sched_task_break(task);
    starpu_st_prio_deque_push_front_task(&lane->deque, task);
    lane->count++;
    if (!isnan(length))
        lane->length += length;
    STARPU_COMPONENT_MUTEX_UNLOCK(&lane->mutex);
}

/* The next child in turn that can run @task. */
static unsigned next_child(struct starpu_sched_component *component,
                           struct starpu_task *task)
{
    static const char call[] = "starpu_sched_component_push_task()";
    struct stealing *stealing = component->data;
    unsigned count = component->nchildren;
    for (unsigned i = 1; i <= count; i++) {
        unsigned child = (stealing->last_pushed + i) % count;
        if (accepts(component->children[child], task))
            return child;
    }
    sp_component_need_able(component, task, call);
    sp_fail(call, "component %s: no child can run the task", component->name);
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct stealing *stealing = component->data;
    unsigned child = next_child(component, task);
    put(lane_of(component, child), task, 0);
    stealing->last_pushed = child;
    starpu_sched_component_can_pull_all(component);
    return 0;
}

/* The first component above @worker that steals; NULL: none. */
static struct starpu_sched_component *above(unsigned context, int worker)
{
    struct starpu_sched_component *component =
        starpu_sched_component_worker_get(context, worker);
    while (component->nparents > 0 && component->parents[0]) {
        component = component->parents[0];
        if (starpu_sched_component_is_work_stealing(component))
            return component;
    }
    return NULL;
}

/* A worker keeps the tasks that it pushes and can run. */
int starpu_sched_tree_work_stealing_push_task(struct starpu_task *task)
{
    int worker = starpu_worker_get_id();
    unsigned nimpl = 0;
    if (worker < 0 || !starpu_worker_can_execute_task_first_impl(
                          (unsigned)worker, task, &nimpl))
        return starpu_sched_tree_push_task(task);
    starpu_task_set_implementation(task, nimpl);
    struct starpu_sched_component *component = above(task->sched_ctx, worker);
    if (!component || !starpu_sched_component_can_execute_task(component, task))
        return starpu_sched_tree_push_task(task);
    unsigned child = child_of(component, worker,
                              "starpu_sched_tree_work_stealing_push_task()");
    put(lane_of(component, child), task, task->predicted);
    component->can_pull(component);
    return 0;
}

/* ---- predictions ---- */

static double estimated_end(struct starpu_sched_component *component)
{
    double now = starpu_timing_now();
    double starts = 0, lengths = 0;
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct lane *lane = lane_of(component, i);
        STARPU_COMPONENT_MUTEX_LOCK(&lane->mutex);
        lengths += lane->length;
        lane->start = MAX(now, lane->start);
        starts += lane->start;
        STARPU_COMPONENT_MUTEX_UNLOCK(&lane->mutex);
    }
    return (starts + lengths) /
           starpu_bitmap_cardinal(&component->workers_in_ctx);
}

static double estimated_load(struct starpu_sched_component *component)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    unsigned count = 0;
    double speed = 0;
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct lane *lane = lane_of(component, i);
        STARPU_COMPONENT_MUTEX_LOCK(&lane->mutex);
        count += lane->count;
        STARPU_COMPONENT_MUTEX_UNLOCK(&lane->mutex);
    }
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        speed += starpu_worker_get_relative_speedup(
            starpu_worker_get_perf_archtype(w, component->tree->sched_ctx_id));
    return count / speed;
}

/* ---- children ---- */

static void free_lane(void *pointer)
{
    struct lane *lane = pointer;
    starpu_st_prio_deque_destroy(&lane->deque);
    STARPU_PTHREAD_MUTEX_DESTROY(&lane->mutex);
    g_free(lane);
}

static void add_child(struct starpu_sched_component *component,
                      struct starpu_sched_component *child)
{
    struct stealing *stealing = component->data;
    struct lane *lane = g_new0(struct lane, 1);
    starpu_sched_component_add_child(component, child);
    starpu_st_prio_deque_init(&lane->deque);
    STARPU_PTHREAD_MUTEX_INIT(&lane->mutex, NULL);
    g_ptr_array_add(stealing->lanes, lane);
}

/* The last child takes its place, and other children get its tasks, if there
 * are any. */
static void remove_child(struct starpu_sched_component *component,
                         struct starpu_sched_component *child)
{
    struct stealing *stealing = component->data;
    unsigned place = 0;
    while (place < component->nchildren && component->children[place] != child)
        place++;
    if (place == component->nchildren)
        sp_fail("remove_child()", "component %s is not there", child->name);
    component->children[place] = component->children[--component->nchildren];
    struct lane *lane = g_ptr_array_steal_index_fast(stealing->lanes, place);
    struct starpu_task *task;
    while (component->nchildren > 0 &&
           (task = starpu_st_prio_deque_pop_task(&lane->deque)))
        starpu_sched_component_push_task(NULL, component, task);
    free_lane(lane);
}

static void deinit_data(struct starpu_sched_component *component)
{
    struct stealing *stealing = component->data;
    g_ptr_array_unref(stealing->lanes);
    g_free(stealing);
}

int starpu_sched_component_is_work_stealing(
    struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_work_stealing_create(struct starpu_sched_tree *tree,
                                            void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "work_stealing");
    struct stealing *stealing = g_new0(struct stealing, 1);
    (void)argument;
    stealing->lanes = g_ptr_array_new_with_free_func(free_lane);
    component->data = stealing;
    component->push_task = push;
    component->pull_task = pull;
    component->add_child = add_child;
    component->remove_child = remove_child;
    component->estimated_end = estimated_end;
    component->estimated_load = estimated_load;
    component->deinit_data = deinit_data;
    return component;
}

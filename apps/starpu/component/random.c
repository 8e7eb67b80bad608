/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* random: a child that can run the task, with a probability in proportion to
 * the speed of its workers. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"

#include <starpu_perfmodel.h>
#include <starpu_rand.h>

#include <glib.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In StarPU the program and the component share the numbers of drand48(), and
 * the component does not seed them. Seed 0 is that: in a program, of which
 * there is one run, the process has the numbers. */
struct draws {
    struct drand48_data data;
    bool shared;
};

static struct draws *new_draws(void)
{
    struct draws *draws = g_new0(struct draws, 1);
    uint64_t seed = sp_policy.sched ? orr_sched_seed(sp_policy.sched) : 0;
    draws->shared = seed == 0 && !sp_session.is_guest;
    if (seed != 0)
        srand48_r((long)seed, &draws->data);
    return draws;
}

/* From 0 to below 1. */
static double draw(struct draws *draws)
{
    double drawn = 0;
    if (draws->shared)
        return starpu_drand48();
    drand48_r(&draws->data, &drawn);
    return drawn;
}

static double speed_of(struct starpu_sched_component *component)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    double sum = 0;
    for (int w = starpu_bitmap_first(workers); w >= 0;
         w = starpu_bitmap_next(workers, w))
        sum += starpu_worker_get_relative_speedup(
            starpu_worker_get_perf_archtype(w, component->tree->sched_ctx_id));
    return sum;
}

/* Of the children, with @speeds. NULL: no child can run @task. */
static struct starpu_sched_component *
choose_by(double *speeds, struct starpu_sched_component *component,
          struct starpu_task *task)
{
    unsigned count = component->nchildren;
    double total = 0, sum = 0;
    struct starpu_sched_component *chosen = NULL;
    for (unsigned i = 0; i < count; i++) {
        struct starpu_sched_component *child = component->children[i];
        if (starpu_sched_component_can_execute_task(child, task))
            speeds[i] = speed_of(child);
        total += speeds[i];
    }
    if (total <= 0)
        return NULL;
    double drawn = draw(component->data) * total;
    for (unsigned i = 0; i < count && (!chosen || sum < drawn); i++) {
        if (speeds[i] <= 0)
            continue;
        chosen = component->children[i];
        sum += speeds[i];
    }
    return chosen;
}

static struct starpu_sched_component *
choose(struct starpu_sched_component *component, struct starpu_task *task)
{
    /* 0: it cannot run it */
    double *speeds = g_new0(double, component->nchildren);
    struct starpu_sched_component *chosen = choose_by(speeds, component, task);
    g_free(speeds);
    return chosen;
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    struct starpu_sched_component *child = choose(component, task);
    if (!child)
        return -ENODEV;
    if (starpu_sched_component_is_worker(child)) {
        child->can_pull(child);
        return 1;
    }
    starpu_sched_task_break(task);
    return starpu_sched_component_push_task(component, child, task);
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    starpu_sched_component_can_push(component, to);
    return NULL;
}

static void deinit_data(struct starpu_sched_component *component)
{
    g_free(component->data);
}

int starpu_sched_component_is_random(struct starpu_sched_component *component)
{
    return component->push_task == push;
}

struct starpu_sched_component *
starpu_sched_component_random_create(struct starpu_sched_tree *tree,
                                     void *argument)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "random");
    (void)argument;
    component->data = new_draws();
    component->push_task = push;
    component->pull_task = pull;
    component->deinit_data = deinit_data;
    return component;
}

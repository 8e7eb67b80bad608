/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TEST_COMPONENTS_H
#define ORR_TEST_COMPONENTS_H

#include <starpu.h>
#include <starpu_sched_component.h>

#include "tests/support/cmocka_all.h"

#include <math.h>

#define assert_us(us, expected) assert_true(fabs((us) - (expected)) < 1e-6)

/* A session of @gpus GPUs, which are the first workers, and @cpus CPUs. */
static inline void start_components(const char *cpus, const char *gpus)
{
    g_autofree char *sampling = g_build_filename(
        g_getenv("abs_top_srcdir"), "tests", "starpu-sampling", NULL);

    g_setenv("STARPU_PERF_MODEL_DIR", sampling, TRUE);
    g_setenv("STARPU_HOSTNAME", "tiny", TRUE);
    g_setenv("STARPU_NCPU", cpus, TRUE);
    g_setenv("STARPU_NCUDA", gpus, TRUE);
    g_setenv("STARPU_SCHED", "eager", TRUE);
    assert_int_equal(starpu_init(NULL), 0);
}

/* A component in place of a worker, with room for some tasks. */
struct stub {
    struct starpu_task *tasks[8];
    unsigned count, room;
    unsigned notified; /* how often it can pull */
    double end;        /* us */
};

static inline int stub_push(struct starpu_sched_component *component,
                            struct starpu_task *task)
{
    struct stub *stub = component->data;

    if (stub->count == stub->room)
        return 1;
    stub->tasks[stub->count++] = task;
    return 0;
}

static inline int stub_can_pull(struct starpu_sched_component *component)
{
    struct stub *stub = component->data;

    stub->notified++;
    return 1;
}

static inline double stub_end(struct starpu_sched_component *component)
{
    return ((const struct stub *)component->data)->end;
}

static inline double stub_load(struct starpu_sched_component *component)
{
    return ((const struct stub *)component->data)->count;
}

/* Whoever makes @stub sets its room. */
static inline struct starpu_sched_component *
stub_new(struct starpu_sched_tree *tree, int worker, struct stub *stub)
{
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "stub");

    component->data = stub;
    component->push_task = stub_push;
    component->can_pull = stub_can_pull;
    component->estimated_end = stub_end;
    component->estimated_load = stub_load;
    starpu_bitmap_set(&component->workers, worker);
    starpu_bitmap_set(&component->workers_in_ctx, worker);
    component->properties = STARPU_SCHED_COMPONENT_HOMOGENEOUS |
                            STARPU_SCHED_COMPONENT_SINGLE_MEMORY_NODE;
    return component;
}

/* The sets of @component, above stubs alone, as a tree would set them. */
static inline void take_workers(struct starpu_sched_component *component)
{
    for (unsigned i = 0; i < component->nchildren; i++)
        starpu_bitmap_or(&component->workers, &component->children[i]->workers);
    component->workers_in_ctx = component->workers;
}

/* flops of a task: its us on a CPU; a GPU is ten times as fast. */
static inline double us_of_flops(struct starpu_task *task,
                                 struct starpu_perfmodel_arch *arch,
                                 unsigned nimpl)
{
    (void)nimpl;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? task->flops / 10
                                                       : task->flops;
}

static inline void do_no_work(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

/* A task for any worker. */
static inline struct starpu_task *flops_task(double flops, int priority)
{
    static struct starpu_perfmodel model = {.type = STARPU_PER_ARCH,
                                            .arch_cost_function = us_of_flops};
    static struct starpu_codelet codelet = {.cpu_funcs = {do_no_work},
                                            .cuda_funcs = {do_no_work},
                                            .model = &model,
                                            .name = "work"};
    struct starpu_task *task = starpu_task_create();

    task->cl = &codelet;
    task->flops = flops;
    task->priority = priority;
    task->sched_ctx = 0;
    return task;
}

static inline void destroy_task(struct starpu_task *task)
{
    task->destroy = 0;
    starpu_task_destroy(task);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <schedulers/starpu_heteroprio.h>
#include <stdbool.h>

/* The policy heteroprio with buckets of the program: tasks "step", which CPUs
 * run nearly as fast as GPUs, are in bucket 0, tasks "dense" in bucket 1, and
 * tasks "input", which only CPUs can run, in bucket 2. With ALL_BUCKETS in the
 * environment the program chooses no buckets, so all workers visit the buckets
 * of all priorities. */
enum { STEP, DENSE, INPUT, BUCKETS, BLOCKS = 20, LENGTH = 1 << 18 };

static void execute(void *buffers[], void *arguments)
{
    (void)buffers;
    (void)arguments;
}

static double cost_us(struct starpu_task *task,
                      struct starpu_perfmodel_arch *arch,
                      unsigned implementation)
{
    static const double cpu_us[] = {400, 4000, 300}, gpu_us[] = {250, 200, 900};
    (void)implementation;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? gpu_us[task->priority]
                                                       : cpu_us[task->priority];
}

static struct starpu_perfmodel models[BUCKETS] = {
    {.type = STARPU_PER_ARCH, .symbol = "step", .arch_cost_function = cost_us},
    {.type = STARPU_PER_ARCH, .symbol = "dense", .arch_cost_function = cost_us},
    {.type = STARPU_PER_ARCH, .symbol = "input", .arch_cost_function = cost_us},
};

static struct starpu_codelet codelets[BUCKETS] = {
    {.cpu_funcs = {execute},
     .cuda_funcs = {execute},
     .nbuffers = 2,
     .modes = {STARPU_R, STARPU_RW},
     .model = &models[STEP],
     .name = "step"},
    {.cpu_funcs = {execute},
     .cuda_funcs = {execute},
     .nbuffers = 2,
     .modes = {STARPU_R, STARPU_RW},
     .model = &models[DENSE],
     .name = "dense"},
    {.cpu_funcs = {execute},
     .nbuffers = 1,
     .modes = {STARPU_W},
     .model = &models[INPUT],
     .name = "input"},
};

/* The same for all workers. */
static struct starpu_codelet input_anywhere = {
    .cpu_funcs = {execute},
    .cuda_funcs = {execute},
    .nbuffers = 1,
    .modes = {STARPU_W},
    .model = &models[INPUT],
    .name = "input",
};

static struct starpu_codelet *input;

static void map(unsigned context, enum starpu_worker_archtype type,
                const unsigned *buckets, unsigned count)
{
    starpu_heteroprio_set_nb_prios(context, type, count);
    for (unsigned i = 0; i < count; i++)
        starpu_heteroprio_set_mapping(context, type, i, buckets[i]);
}

static void choose_buckets(unsigned context)
{
    static const unsigned cpus[] = {INPUT, STEP, DENSE}, gpus[] = {DENSE, STEP};
    printf("buckets for %u CPUs and %u GPUs\n", starpu_cpu_worker_get_count(),
           starpu_cuda_worker_get_count());
    map(context, STARPU_CPU_WORKER, cpus, BUCKETS);
    map(context, STARPU_CUDA_WORKER, gpus, 2);
    starpu_heteroprio_set_faster_arch(context, STARPU_CUDA_WORKER, DENSE);
    starpu_heteroprio_set_arch_slow_factor(context, STARPU_CPU_WORKER, DENSE,
                                           4.5F);
    starpu_heteroprio_set_use_locality(context, 0);
}

static void submit(unsigned kind, starpu_data_handle_t first,
                   starpu_data_handle_t second)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = kind == INPUT ? input : &codelets[kind];
    task->priority = (int)kind;
    task->handles[0] = first;
    task->handles[1] = second;
    CHECK(starpu_task_submit(task));
}

static void submit_all(const starpu_data_handle_t *blocks)
{
    for (unsigned i = 0; i < BLOCKS; i++)
        submit(INPUT, blocks[i], NULL);
    for (unsigned round = 1; round < 4; round++) {
        for (unsigned i = 0; i < BLOCKS; i++)
            submit(i % 3 ? DENSE : STEP, blocks[(i + round) % BLOCKS],
                   blocks[i]);
    }
}

int main(void)
{
    struct starpu_conf conf;
    starpu_data_handle_t blocks[BLOCKS];
    static float room[BLOCKS];
    bool chooses = !getenv("ALL_BUCKETS");
    setenv("STARPU_HETEROPRIO_USE_AUTO_CALIBRATION", "0", 1);
    CHECK(starpu_conf_init(&conf));
    conf.sched_policy_name = "heteroprio";
    conf.sched_policy_callback = chooses ? choose_buckets : NULL;
    conf.ncpus = 4;
    conf.ncuda = 2;
    input = chooses ? &codelets[INPUT] : &input_anywhere;
    CHECK(starpu_init(&conf));
    for (unsigned i = 0; i < BLOCKS; i++)
        starpu_vector_data_register(&blocks[i], STARPU_MAIN_RAM,
                                    (uintptr_t)&room[i], LENGTH, sizeof(float));
    elapsed();
    submit_all(blocks);
    CHECK(starpu_task_wait_for_all());
    say(chooses ? "three buckets" : "a bucket for each priority");
    for (unsigned i = 0; i < BLOCKS; i++)
        starpu_data_unregister_no_coherency(blocks[i]);
    starpu_shutdown();
    return 0;
}

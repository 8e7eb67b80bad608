/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Kernels that are called in the simulation: a task takes as long as its kernel
 * sleeps, whatever its model expects. */
enum { TASKS = 6 };

static int called_on_gpu, called_on_cpu;
static double dates[TASKS];

static void sleep_on_cpu(void *buffers[], void *arguments)
{
    int number;
    (void)buffers;
    starpu_codelet_unpack_args(arguments, &number);
    double start = starpu_timing_now();
    starpu_sleep(100e-6F * (float)(number + 1));
    dates[number] = starpu_timing_now() - start;
    called_on_cpu++;
    if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER)
        printf("a kernel for CPUs is on another worker\n");
}

static void sleep_on_gpu(void *buffers[], void *arguments)
{
    int number;
    (void)buffers;
    starpu_codelet_unpack_args(arguments, &number);
    starpu_sleep(50e-6F);
    called_on_gpu++;
    if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CUDA_WORKER)
        printf("a kernel for GPUs is on another worker\n");
}

static double expected_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 1000;
}

static struct starpu_perfmodel model = {
    .type = STARPU_COMMON, .symbol = "sleeper", .cost_function = expected_us};
static struct starpu_codelet on_cpu = {
    .where = STARPU_CPU,
    .cpu_funcs = {sleep_on_cpu},
    .flags = STARPU_CODELET_SIMGRID_EXECUTE,
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &model,
    .name = "on_cpu",
};
static struct starpu_codelet on_gpu = {
    .where = STARPU_CUDA,
    .cuda_funcs = {sleep_on_gpu},
    .flags = STARPU_CODELET_SIMGRID_EXECUTE,
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &model,
    .name = "on_gpu",
};
static struct starpu_codelet without_model = {
    .where = STARPU_CPU,
    .cpu_funcs = {sleep_on_cpu},
    .flags = STARPU_CODELET_SIMGRID_EXECUTE,
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .name = "without_model",
};

static void insert(struct starpu_codelet *codelet, starpu_data_handle_t handle,
                   int number)
{
    CHECK(starpu_task_insert(codelet, STARPU_RW, handle, STARPU_VALUE, &number,
                             sizeof(number), 0));
}

int main(void)
{
    int value = 0;
    starpu_data_handle_t handle;
    CHECK(starpu_init(NULL));
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    say("initialised");
    for (int i = 0; i < TASKS; i++)
        insert(i % 2 ? &on_gpu : &on_cpu, handle, i);
    starpu_task_wait_for_all();
    say("kernels called in turn");
    for (int i = 0; i < TASKS; i++)
        insert(i == 3 ? &without_model : &on_cpu, handle, i);
    starpu_task_wait_for_all();
    say("one without a model, too");
    printf("%d kernels on CPUs, %d on GPUs\n", called_on_cpu, called_on_gpu);
    printf("the fourth has slept for %.0f us\n", dates[3]);
    starpu_data_unregister(handle);
    say("unregistered");
    starpu_shutdown();
    return 0;
}

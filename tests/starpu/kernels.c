/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <starpu_profiling.h>

/* Kernels that are called in the simulation: a task takes as long as its kernel
 * sleeps, whatever its model expects. */
enum { TASKS = 7 };

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

/* The dates of a task, and its worker. */
static void profile(starpu_data_handle_t handle)
{
    struct starpu_task *task = starpu_task_create();
    int number = 6;
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    task->cl = &on_cpu;
    task->handles[0] = handle;
    task->destroy = 0;
    task->detach = 0;
    starpu_codelet_pack_args(&task->cl_arg, &task->cl_arg_size, STARPU_VALUE,
                             &number, sizeof(number), 0);
    task->cl_arg_free = 1;
    CHECK(starpu_task_submit(task));
    CHECK(starpu_task_wait(task));
    struct starpu_profiling_task_info *info = task->profiling_info;
    printf("ran for %.3f us on a %s, ended %s it was submitted\n",
           starpu_timing_timespec_delay_us(&info->start_time, &info->end_time),
           starpu_worker_get_type(info->workerid) == STARPU_CPU_WORKER ? "CPU"
                                                                       : "GPU",
           starpu_timing_timespec_delay_us(&info->submit_time,
                                           &info->end_time) > 700
               ? "after"
               : "when");
    starpu_task_destroy(task);
    starpu_profiling_status_set(STARPU_PROFILING_DISABLE);
}

int main(void)
{
    int value = 0;
    starpu_data_handle_t handle;
    CHECK(starpu_init(NULL));
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&value,
                                  sizeof(value));
    say("initialised");
    for (int i = 0; i < 6; i++)
        insert(i % 2 ? &on_gpu : &on_cpu, handle, i);
    starpu_task_wait_for_all();
    say("kernels called in turn");
    for (int i = 0; i < 6; i++)
        insert(i == 3 ? &without_model : &on_cpu, handle, i);
    starpu_task_wait_for_all();
    say("one without a model, too");
    printf("%d kernels on CPUs, %d on GPUs\n", called_on_cpu, called_on_gpu);
    printf("the fourth has slept for %.0f us\n", dates[3]);
    profile(handle);
    starpu_data_unregister(handle);
    say("unregistered");
    starpu_shutdown();
    return 0;
}

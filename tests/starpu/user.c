/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

#include <errno.h>
#include <string.h>

/*
 * What users do in their programs, by the first argument. The kernels are of no
 * calibration.
 */
enum { LENGTH = 64, PARTS = 4, TASKS = 8 };

static void add_cpu(void *buffers[], void *arguments)
{
    float *a = (float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    (void)arguments;
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        a[i] += 1;
}

static void sum_cpu(void *buffers[], void *arguments)
{
    const float *a = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    double *sum = (double *)STARPU_VARIABLE_GET_PTR(buffers[1]);
    (void)arguments;
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        *sum += a[i];
}

static void zero_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    *(double *)STARPU_VARIABLE_GET_PTR(buffers[0]) = 0;
}

static void join_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    *(double *)STARPU_VARIABLE_GET_PTR(buffers[0]) +=
        *(double *)STARPU_VARIABLE_GET_PTR(buffers[1]);
}

static struct starpu_codelet add = {
    .cpu_funcs = {add_cpu},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .name = "add one # more",
};
static struct starpu_codelet sum = {
    .cpu_funcs = {sum_cpu},
    .nbuffers = 2,
    .modes = {STARPU_R, STARPU_REDUX},
    .name = "sum",
};
static struct starpu_codelet zero = {
    .cpu_funcs = {zero_cpu},
    .nbuffers = 1,
    .modes = {STARPU_W},
    .name = "zero",
};
static struct starpu_codelet apart = {.cpu_funcs = {zero_cpu}, .name = "apart"};
static struct starpu_codelet join = {
    .cpu_funcs = {join_cpu},
    .nbuffers = 2,
    .modes = {STARPU_RW | STARPU_COMMUTE, STARPU_R},
    .name = "join",
};

/* Tasks have names of their own, which are not those of their codelet. */
static void add_to(starpu_data_handle_t handle)
{
    CHECK(starpu_task_insert(&add, STARPU_RW, handle, STARPU_NAME, "ADD",
                             STARPU_FLOPS, 1e6, 0));
}

static void reduce(starpu_data_handle_t vector)
{
    double result = 0;
    starpu_data_handle_t handle;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&result,
                                  sizeof(result));
    starpu_data_set_reduction_methods(handle, &join, &zero);
    for (unsigned i = 0; i < TASKS; i++)
        CHECK(starpu_task_insert(&sum, STARPU_R, vector, STARPU_REDUX, handle,
                                 0));
    starpu_data_unregister(handle);
    printf("sum %g\n", result);
}

int main(int argc, char **argv)
{
    static float data[LENGTH];
    const char *how = argc > 1 ? argv[1] : "";
    starpu_data_handle_t handle, parts[PARTS];
    struct starpu_data_filter half = {.filter_func = starpu_vector_filter_block,
                                      .nchildren = PARTS};

    if (strcmp(how, "sleep") == 0)
        for (;;)
            starpu_sleep(1);
    CHECK(starpu_init(NULL));
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)data,
                                LENGTH, sizeof(data[0]));
    if (strcmp(how, "plan") == 0) {
        /* The plan is left to starpu_shutdown(). */
        starpu_data_partition_plan(handle, &half, parts);
        add_to(parts[0]);
        add_to(handle);
        CHECK(starpu_task_wait_for_all());
        starpu_shutdown();
        return 0;
    }
    if (strcmp(how, "nowhere") == 0) {
        /* StarPU returns -ENODEV, and the program goes on. */
        add.where = STARPU_OPENCL;
        int status = starpu_task_insert(&add, STARPU_RW, handle, 0);
        starpu_data_unregister(handle);
        starpu_shutdown();
        return status != -ENODEV;
    }
    if (strcmp(how, "write") == 0) {
        /* The program fills its data between two calls. */
        CHECK(starpu_data_acquire(handle, STARPU_W));
        starpu_data_release(handle);
    }
    if (strcmp(how, "many") == 0)
        for (unsigned i = 0; i < TASKS; i++)
            CHECK(starpu_task_insert(&apart, STARPU_FLOPS, 1e6, 0));
    if (strcmp(how, "reduce") == 0)
        reduce(handle);
    else
        add_to(handle);
    CHECK(starpu_task_wait_for_all());
    starpu_data_unregister(handle);
    starpu_shutdown();
    return strcmp(how, "fail") == 0 ? 3 : 0;
}

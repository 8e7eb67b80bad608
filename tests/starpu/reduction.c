/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* The dot product of two vectors in blocks: the tasks add to one variable by
 * STARPU_REDUX. */
enum { BLOCKS = 40, COUNT = 4096 };

static void dot_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    const double *x = (const double *)STARPU_VECTOR_GET_PTR(buffers[0]);
    const double *y = (const double *)STARPU_VECTOR_GET_PTR(buffers[1]);
    double *sum = (double *)STARPU_VARIABLE_GET_PTR(buffers[2]);
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        *sum += x[i] * y[i];
}

static void zero_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    *(double *)STARPU_VARIABLE_GET_PTR(buffers[0]) = 0;
}

static void add_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    *(double *)STARPU_VARIABLE_GET_PTR(buffers[0]) +=
        *(double *)STARPU_VARIABLE_GET_PTR(buffers[1]);
}

static double dot_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 800;
}

static double small_us(struct starpu_task *task, unsigned implementation)
{
    (void)task;
    (void)implementation;
    return 5;
}

static struct starpu_perfmodel dot_model = {
    .type = STARPU_COMMON, .symbol = "dot", .cost_function = dot_us};
static struct starpu_perfmodel zero_model = {
    .type = STARPU_COMMON, .symbol = "zero", .cost_function = small_us};
static struct starpu_perfmodel add_model = {
    .type = STARPU_COMMON, .symbol = "add", .cost_function = small_us};

static struct starpu_codelet dot = {
    .cpu_funcs = {dot_cpu},
    .nbuffers = 3,
    .modes = {STARPU_R, STARPU_R, STARPU_REDUX},
    .model = &dot_model,
    .name = "dot",
};
static struct starpu_codelet zero = {
    .cpu_funcs = {zero_cpu},
    .nbuffers = 1,
    .modes = {STARPU_W},
    .model = &zero_model,
    .name = "zero",
};
static struct starpu_codelet add = {
    .cpu_funcs = {add_cpu},
    .nbuffers = 2,
    .modes = {STARPU_RW, STARPU_R},
    .model = &add_model,
    .name = "add",
};

int main(void)
{
    static double x[BLOCKS][COUNT], y[BLOCKS][COUNT];
    starpu_data_handle_t xs[BLOCKS], ys[BLOCKS], sum_handle;
    double sum = 0;
    for (int block = 0; block < BLOCKS; block++) {
        for (int i = 0; i < COUNT; i++) {
            x[block][i] = 1;
            y[block][i] = 0.5;
        }
    }
    CHECK(starpu_init(NULL));
    say("initialised");
    for (int block = 0; block < BLOCKS; block++) {
        starpu_vector_data_register(&xs[block], STARPU_MAIN_RAM,
                                    (uintptr_t)x[block], COUNT, sizeof(double));
        starpu_vector_data_register(&ys[block], STARPU_MAIN_RAM,
                                    (uintptr_t)y[block], COUNT, sizeof(double));
    }
    starpu_variable_data_register(&sum_handle, STARPU_MAIN_RAM, (uintptr_t)&sum,
                                  sizeof(sum));
    starpu_data_set_reduction_methods(sum_handle, &add, &zero);
    for (int block = 0; block < BLOCKS; block++) {
        CHECK(starpu_task_insert(&dot, STARPU_R, xs[block], STARPU_R, ys[block],
                                 STARPU_REDUX, sum_handle, 0));
    }
    say("submitted");
    CHECK(starpu_data_acquire(sum_handle, STARPU_R));
    say("sum acquired");
    if (getenv("EXECUTED"))
        printf("sum %g\n", sum);
    starpu_data_release(sum_handle);
    for (int block = 0; block < BLOCKS; block++) {
        starpu_data_unregister(xs[block]);
        starpu_data_unregister(ys[block]);
    }
    starpu_data_unregister(sum_handle);
    say("unregistered");
    starpu_shutdown();
    return 0;
}

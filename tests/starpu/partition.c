/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* A matrix in four blocks of columns, each in three blocks of rows: tasks on
 * the blocks, then on the blocks of columns, then on the whole. */
enum { COLUMNS = 1200, ROWS = 900, WIDE = 4, HIGH = 3 };

static void scale_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    float *block = (float *)STARPU_MATRIX_GET_PTR(buffers[0]);
    unsigned rows = STARPU_MATRIX_GET_NX(buffers[0]);
    unsigned columns = STARPU_MATRIX_GET_NY(buffers[0]);
    unsigned leading = STARPU_MATRIX_GET_LD(buffers[0]);
    for (unsigned j = 0; j < columns; j++)
        for (unsigned i = 0; i < rows; i++)
            block[j * leading + i] *= 2;
}

static double scale_us(struct starpu_task *task,
                       struct starpu_perfmodel_arch *arch,
                       unsigned implementation)
{
    (void)implementation;
    double us = starpu_matrix_get_nx(task->handles[0]) *
                (double)starpu_matrix_get_ny(task->handles[0]) * 0.001;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? us / 10 : us;
}

static struct starpu_perfmodel scale_model = {
    .type = STARPU_PER_ARCH,
    .symbol = "scale",
    .arch_cost_function = scale_us,
};
static struct starpu_codelet scale = {
    .cpu_funcs = {scale_cpu},
    .cuda_funcs = {scale_cpu},
    .nbuffers = 1,
    .modes = {STARPU_RW},
    .model = &scale_model,
    .name = "scale",
};

int main(void)
{
    static float matrix[COLUMNS * ROWS];
    starpu_data_handle_t whole;
    struct starpu_data_filter by_columns = {
        .filter_func = starpu_matrix_filter_vertical_block, .nchildren = WIDE};
    struct starpu_data_filter by_rows = {
        .filter_func = starpu_matrix_filter_block, .nchildren = HIGH};
    for (int i = 0; i < COLUMNS * ROWS; i++)
        matrix[i] = 1;
    CHECK(starpu_init(NULL));
    say("initialised");
    starpu_matrix_data_register(&whole, STARPU_MAIN_RAM, (uintptr_t)matrix,
                                ROWS, ROWS, COLUMNS, sizeof(float));
    starpu_data_map_filters(whole, 2, &by_columns, &by_rows);
    say("partitioned");
    printf("%d children, %d in the first of them\n",
           starpu_data_get_nb_children(whole),
           starpu_data_get_nb_children(starpu_data_get_child(whole, 0)));
    for (int j = 0; j < WIDE; j++) {
        for (int i = 0; i < HIGH; i++) {
            CHECK(starpu_task_insert(&scale, STARPU_RW,
                                     starpu_data_get_sub_data(whole, 2, j, i),
                                     0));
        }
    }
    CHECK(starpu_task_wait_for_all());
    say("blocks scaled");
    for (int j = 0; j < WIDE; j++)
        starpu_data_unpartition(starpu_data_get_child(whole, j),
                                STARPU_MAIN_RAM);
    say("columns gathered");
    for (int j = 0; j < WIDE; j++) {
        CHECK(starpu_task_insert(&scale, STARPU_RW,
                                 starpu_data_get_sub_data(whole, 1, j), 0));
    }
    starpu_data_unpartition(whole, STARPU_MAIN_RAM);
    say("matrix gathered");
    CHECK(starpu_task_insert(&scale, STARPU_RW, whole, 0));
    starpu_data_unregister(whole);
    say("unregistered");
    if (getenv("EXECUTED"))
        printf("element %g\n", matrix[COLUMNS * ROWS - 1]);
    starpu_shutdown();
    return 0;
}

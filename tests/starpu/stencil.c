/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/starpu/program.h"

/* Blocks of a rod whose heat spreads: each iteration reads a block and its two
 * neighbours, and writes the block of the next iteration. */
enum { BLOCKS = 12, CELLS = 1 << 20, ITERATIONS = 5 };

static void heat_cpu(void *buffers[], void *arguments)
{
    const float *left = (const float *)STARPU_VECTOR_GET_PTR(buffers[1]);
    const float *right = (const float *)STARPU_VECTOR_GET_PTR(buffers[3]);
    const float *from = (const float *)STARPU_VECTOR_GET_PTR(buffers[2]);
    float *to = (float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    unsigned count = STARPU_VECTOR_GET_NX(buffers[0]);
    float rate;
    starpu_codelet_unpack_args(arguments, &rate);
    for (unsigned i = 0; i < count; i++) {
        float before = i > 0 ? from[i - 1] : left[count - 1];
        float after = i + 1 < count ? from[i + 1] : right[0];
        to[i] = from[i] + rate * (before - 2 * from[i] + after);
    }
}

/* 2 ns a cell on a core, 20 times faster on a GPU. */
static double heat_us(struct starpu_task *task,
                      struct starpu_perfmodel_arch *arch,
                      unsigned implementation)
{
    (void)implementation;
    double us = starpu_vector_get_nx(task->handles[0]) * 0.002;
    return arch->devices[0].type == STARPU_CUDA_WORKER ? us / 20 : us;
}

static struct starpu_perfmodel heat_model = {
    .type = STARPU_PER_ARCH,
    .symbol = "heat",
    .arch_cost_function = heat_us,
};

static struct starpu_codelet heat = {
    .cpu_funcs = {heat_cpu},
    .cpu_funcs_name = {"heat_cpu"},
    .cuda_funcs = {heat_cpu}, /* not called when simulated */
    .nbuffers = 4,
    .modes = {STARPU_W, STARPU_R, STARPU_R, STARPU_R},
    .model = &heat_model,
    .name = "heat",
};

int main(void)
{
    starpu_data_handle_t rod[2][BLOCKS];
    float *cells[2][BLOCKS];
    CHECK(starpu_init(NULL));
    say("initialised");
    for (int side = 0; side < 2; side++) {
        for (int block = 0; block < BLOCKS; block++) {
            CHECK(starpu_malloc((void **)&cells[side][block],
                                CELLS * sizeof(float)));
            starpu_vector_data_register(&rod[side][block], STARPU_MAIN_RAM,
                                        (uintptr_t)cells[side][block], CELLS,
                                        sizeof(float));
            starpu_data_set_coordinates(rod[side][block], 2, block, side);
        }
    }
    say("registered");
    const float rate = 0.1f;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        starpu_iteration_push(iteration);
        starpu_data_handle_t *from = rod[iteration % 2];
        starpu_data_handle_t *to = rod[1 - iteration % 2];
        for (int block = 0; block < BLOCKS; block++) {
            CHECK(starpu_task_insert(
                &heat, STARPU_W, to[block], STARPU_R,
                from[(block + BLOCKS - 1) % BLOCKS], STARPU_R, from[block],
                STARPU_R, from[(block + 1) % BLOCKS], STARPU_VALUE, &rate,
                sizeof(rate), STARPU_PRIORITY, ITERATIONS - iteration, 0));
        }
        starpu_iteration_pop();
    }
    say("submitted");
    CHECK(starpu_task_wait_for_all());
    say("done");
    for (int side = 0; side < 2; side++) {
        for (int block = 0; block < BLOCKS; block++) {
            starpu_data_unregister(rod[side][block]);
            starpu_free_noflag(cells[side][block], CELLS * sizeof(float));
        }
    }
    say("unregistered");
    starpu_shutdown();
    return 0;
}

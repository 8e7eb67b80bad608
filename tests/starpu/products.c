/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Independent products of tiles: C(x,y) needs row y of A and column x of B. The
 * workers are paused until all tasks are submitted and the policy has decided.
 * Some products are left out, as in a sparse matrix. Prints how many us the
 * products take, once for each time.
 *
 *     products COLUMNS ROWS TIMES PERCENT SEED
 */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE = 960 };

static void work(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

static struct starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                        .symbol = "chol_model_gemm"};
static struct starpu_codelet product = {
    .cpu_funcs = {work},
    .cuda_funcs = {work},
    .cuda_flags = {STARPU_CUDA_ASYNC},
    .nbuffers = 3,
    .modes = {STARPU_R, STARPU_R, STARPU_RW},
    .model = &model,
    .name = "product"};

static unsigned random_below(unsigned *seed, unsigned limit)
{
    *seed = *seed * 1103515245u + 12345u;
    return ((*seed >> 16) & 0x7fff) % limit;
}

static starpu_data_handle_t *register_tiles(unsigned count)
{
    starpu_data_handle_t *tiles = calloc(count, sizeof(starpu_data_handle_t));

    /* The memory of tiles stays until the program ends. */
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    for (unsigned i = 0; i < count; i++) {
        void *memory = malloc((size_t)TILE * TILE * 4);

        starpu_matrix_data_register(&tiles[i], STARPU_MAIN_RAM,
                                    (uintptr_t)memory, TILE, TILE, TILE, 4);
    }
    return tiles;
}

static void unregister(starpu_data_handle_t *tiles, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        starpu_data_unregister(tiles[i]);
    free(tiles);
}

int main(int argc, char **argv)
{
    unsigned columns, rows, times, percent, seed;
    starpu_data_handle_t *a, *b, *c;

    if (argc != 6 || starpu_init(NULL) != 0)
        return 77;
    columns = (unsigned)atoi(argv[1]);
    rows = (unsigned)atoi(argv[2]);
    times = (unsigned)atoi(argv[3]);
    percent = (unsigned)atoi(argv[4]);
    seed = (unsigned)atoi(argv[5]);
    a = register_tiles(rows);
    b = register_tiles(columns);
    c = register_tiles(columns * rows);
    while (times-- > 0) {
        double begun;

        starpu_pause();
        for (unsigned i = 0; i < columns * rows; i++)
            if (random_below(&seed, 100) < percent &&
                starpu_task_insert(&product, STARPU_R, a[i % rows], STARPU_R,
                                   b[i / rows], STARPU_RW, c[i], 0) != 0)
                exit(1);
        starpu_do_schedule();
        begun = starpu_timing_now();
        starpu_resume();
        starpu_task_wait_for_all();
        printf("%.3f\n", starpu_timing_now() - begun);
    }
    unregister(a, rows);
    unregister(b, columns);
    unregister(c, columns * rows);
    starpu_shutdown();
    return 0;
}

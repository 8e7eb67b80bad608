/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <starpu.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A program for StarPU: factorises a matrix in tiles, A = L L^T. Usage:
 * chol [TILES [TILE [check]]], with rows and columns of a tile; check: compares
 * the product with the matrix.
 */
static unsigned tiles = 6, tile = 960;

/* Ends the program if a function of StarPU has failed. */
static void check(int status)
{
    if (status != 0) {
        fprintf(stderr, "chol: %s\n", strerror(-status));
        exit(1);
    }
}

static float *block(void *buffer)
{
    return (float *)STARPU_MATRIX_GET_PTR(buffer);
}

static void potrf_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    float *a = block(buffers[0]);
    for (unsigned k = 0; k < tile; k++) {
        a[k + k * tile] = sqrtf(a[k + k * tile]);
        for (unsigned i = k + 1; i < tile; i++)
            a[i + k * tile] /= a[k + k * tile];
        for (unsigned j = k + 1; j < tile; j++)
            for (unsigned i = j; i < tile; i++)
                a[i + j * tile] -= a[i + k * tile] * a[j + k * tile];
    }
}

static void trsm_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    const float *l = block(buffers[0]);
    float *a = block(buffers[1]);
    for (unsigned k = 0; k < tile; k++) {
        for (unsigned i = 0; i < tile; i++) {
            a[i + k * tile] /= l[k + k * tile];
            for (unsigned j = k + 1; j < tile; j++)
                a[i + j * tile] -= a[i + k * tile] * l[j + k * tile];
        }
    }
}

static void gemm_cpu(void *buffers[], void *arguments)
{
    (void)arguments;
    const float *a = block(buffers[0]), *b = block(buffers[1]);
    float *c = block(buffers[2]);
    for (unsigned j = 0; j < tile; j++)
        for (unsigned k = 0; k < tile; k++)
            for (unsigned i = 0; i < tile; i++)
                c[i + j * tile] -= a[i + k * tile] * b[j + k * tile];
}

static void syrk_cpu(void *buffers[], void *arguments)
{
    void *operands[] = {buffers[0], buffers[0], buffers[1]};
    gemm_cpu(operands, arguments);
}

#define KERNEL(kernel, calibration, count, ...)                                \
    static struct starpu_perfmodel kernel##_model = {                          \
        .type = STARPU_HISTORY_BASED, .symbol = calibration};                  \
    static struct starpu_codelet kernel = {                                    \
        .cpu_funcs = {kernel##_cpu},                                           \
        .cuda_funcs = {kernel##_cpu},                                          \
        .cuda_flags = {STARPU_CUDA_ASYNC},                                     \
        .nbuffers = count,                                                     \
        .modes = {__VA_ARGS__},                                                \
        .model = &kernel##_model,                                              \
        .name = #kernel,                                                       \
    }
KERNEL(potrf, "chol_model_potrf", 1, STARPU_RW);
KERNEL(trsm, "chol_model_trsm", 2, STARPU_R, STARPU_RW);
KERNEL(syrk, "chol_model_syrk", 2, STARPU_R, STARPU_RW);
KERNEL(gemm, "chol_model_gemm", 3, STARPU_R, STARPU_R, STARPU_RW);

/* A matrix that is symmetric and positive definite. */
static float element(unsigned i, unsigned j)
{
    return i == j ? (float)(tiles * tile) : 1.0f / (float)(1 + (i + j) % 7);
}

/* The updates of row @i by column @k. */
static void submit_row(starpu_data_handle_t *a, unsigned i, unsigned k)
{
    int urgent = i == k + 1 ? STARPU_MAX_PRIO : 0;

    for (unsigned j = k + 1; j < i; j++) {
        check(starpu_task_insert(&gemm, STARPU_R, a[i * tiles + k], STARPU_R,
                                 a[j * tiles + k], STARPU_RW, a[i * tiles + j],
                                 0));
    }
    check(starpu_task_insert(&syrk, STARPU_PRIORITY, urgent, STARPU_R,
                             a[i * tiles + k], STARPU_RW, a[i * tiles + i], 0));
}

static void submit_all(starpu_data_handle_t *a)
{
    for (unsigned k = 0; k < tiles; k++) {
        starpu_iteration_push(k);
        check(starpu_task_insert(&potrf, STARPU_PRIORITY, STARPU_MAX_PRIO,
                                 STARPU_RW, a[k * tiles + k], 0));
        for (unsigned i = k + 1; i < tiles; i++) {
            int urgent = i == k + 1 ? STARPU_MAX_PRIO : 0;
            check(starpu_task_insert(&trsm, STARPU_PRIORITY, urgent, STARPU_R,
                                     a[k * tiles + k], STARPU_RW,
                                     a[i * tiles + k], 0));
        }
        for (unsigned i = k + 1; i < tiles; i++)
            submit_row(a, i, k);
        starpu_iteration_pop();
    }
}

/* Element (@i, @j) of L L^T. */
static double product(float **l, unsigned i, unsigned j)
{
    double sum = 0;

    for (unsigned k = 0; k <= j; k++) {
        sum +=
            (double)l[i / tile * tiles + k / tile][i % tile + k % tile * tile] *
            l[j / tile * tiles + k / tile][j % tile + k % tile * tile];
    }
    return sum;
}

/* The largest difference between A and L L^T. */
static double error_of(float **l)
{
    double worst = 0;

    for (unsigned i = 0; i < tiles * tile; i++)
        for (unsigned j = 0; j <= i; j++)
            worst = fmax(worst, fabs(product(l, i, j) - element(i, j)));
    return worst;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        tiles = (unsigned)atoi(argv[1]);
    if (argc > 2)
        tile = (unsigned)atoi(argv[2]);
    bool checks = argc > 3 && strcmp(argv[3], "check") == 0;
    check(starpu_init(NULL));
    size_t bytes = (size_t)tile * tile * sizeof(float);
    float **a = (float **)calloc((size_t)tiles * tiles, sizeof(*a));
    starpu_data_handle_t *handles = (starpu_data_handle_t *)calloc(
        (size_t)tiles * tiles, sizeof(starpu_data_handle_t));
    for (unsigned i = 0; i < tiles; i++) {
        for (unsigned j = 0; j <= i; j++) {
            unsigned t = i * tiles + j;
            check(starpu_malloc((void **)&a[t], bytes));
            for (unsigned k = 0; checks && k < tile * tile; k++)
                a[t][k] = element(i * tile + k % tile, j * tile + k / tile);
            starpu_matrix_data_register(&handles[t], STARPU_MAIN_RAM,
                                        (uintptr_t)a[t], tile, tile, tile,
                                        sizeof(float));
            starpu_data_set_coordinates(handles[t], 2, i, j);
        }
    }
    double start = starpu_timing_now();
    submit_all(handles);
    check(starpu_task_wait_for_all());
    double us = starpu_timing_now() - start;
    double n = (double)tiles * tile;
    printf("%u tiles: %.6f ms, %.1f GFlop/s\n", tiles, us / 1e3,
           n * n * n / 3 / us / 1e3);
    for (unsigned i = 0; i < tiles; i++)
        for (unsigned j = 0; j <= i; j++)
            starpu_data_unregister(handles[i * tiles + j]);
    int status = 0;
    if (checks) {
        double worst = error_of(a);
        status = worst > 1e-2;
        printf("%s\n", status ? "wrong" : "right");
    }
    for (unsigned t = 0; t < tiles * tiles; t++)
        if (a[t] != NULL)
            starpu_free_noflag(a[t], bytes);
    free(handles);
    free(a);
    starpu_shutdown();
    return status;
}

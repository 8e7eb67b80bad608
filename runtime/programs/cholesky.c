/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Right-looking Cholesky factorisation of the lower triangle. The order of
 * submission, the priorities and the hints are the same as in StarPU's
 * examples/cholesky/cholesky_implicit.c, so that schedules can be compared.
 */
#include "runtime/programs/dense.h"
#include "runtime/programs/programs.h"
#include "runtime/programs/tiles.h"

enum { POTRF, TRSM, SYRK, GEMM };

/*
 * @critical: the next panel depends on the task; policies with few levels of
 * priority use only this. @sum grows with the distance from the critical path.
 */
static void submit_task(const struct orr_dense *dense, unsigned kernel,
                        bool critical, unsigned sum,
                        struct orr_tile_access access)
{
    orr_dense_submit_critical(dense, kernel, (int)(2 * dense->tiles) - (int)sum,
                              critical, access);
}

/* Updates column @n of the trailing matrix with the panel of step @k. */
static void update_column(const struct orr_dense *dense,
                          const struct orr_tiles *a, unsigned k, unsigned n)
{
    struct orr_tile_access syrk = {{orr_tiles_at(a, n, k)},
                                   orr_tiles_at(a, n, n)};

    submit_task(dense, SYRK, n == k + 1, 2 * k + n, syrk);
    for (unsigned m = n + 1; m < dense->tiles; m++) {
        struct orr_tile_access gemm = {
            {orr_tiles_at(a, m, k), orr_tiles_at(a, n, k)},
            orr_tiles_at(a, m, n)};

        submit_task(dense, GEMM, false, 2 * k + m + n, gemm);
    }
    orr_data_wont_use(dense->run, orr_tiles_at(a, n, k));
}

static void factor_panel(const struct orr_dense *dense,
                         const struct orr_tiles *a, unsigned k)
{
    struct orr_tile_access potrf = {{NULL}, orr_tiles_at(a, k, k)};

    submit_task(dense, POTRF, true, 2 * k, potrf);
    for (unsigned m = k + 1; m < dense->tiles; m++) {
        struct orr_tile_access trsm = {{orr_tiles_at(a, k, k)},
                                       orr_tiles_at(a, m, k)};

        submit_task(dense, TRSM, m == k + 1, 2 * k + m, trsm);
    }
    orr_data_wont_use(dense->run, orr_tiles_at(a, k, k));
}

static void submit_all(const struct orr_dense *dense)
{
    struct orr_tiles a;

    orr_tiles_init(&a, dense->run, dense->tiles, orr_dense_tile_shape(dense),
                   true);
    for (unsigned k = 0; k < dense->tiles; k++) {
        factor_panel(dense, &a, k);
        for (unsigned n = k + 1; n < dense->tiles; n++)
            update_column(dense, &a, k, n);
    }
    orr_tiles_clear(&a);
}

static const struct orr_dense_family family = {
    "cholesky",
    {
        [POTRF] = {"potrf", true, "POTRF", "POTRF"},
        [TRSM] = {"trsm", false, "TRSM", "TRSM"},
        [SYRK] = {"syrk", false, "SYRK", "SYRK"},
        [GEMM] = {"gemm", false, "GEMM", "GEMM"},
    }};

static const char *const names[] = {"potrf", "trsm", "syrk", "gemm", NULL};

static bool submit(struct orr_run *run, const struct orr_app_values *values,
                   GError **error)
{
    struct orr_dense dense;

    if (!orr_dense_init(&dense, run, values, &family, ORR_DENSE_ALL_KERNELS,
                        error))
        return false;
    submit_all(&dense);
    return true;
}

static double tasks(const struct orr_app_values *values)
{
    double n = (double)orr_app_count(values, "tiles");

    return n * (n + 1) * (n + 2) / 6;
}

static double flops(const struct orr_app_values *values)
{
    double n = (double)orr_app_count(values, "size");

    return n * n * n / 3;
}

const struct orr_app orr_app_cholesky = {
    .name = "cholesky",
    .summary = "Cholesky factorisation of the lower triangle",
    .kernels = names,
    .options = orr_dense_options,
    .axis = "size",
    .axis_title = "matrix size (rows)",
    .scale = "tiles",
    .complete = orr_dense_complete,
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};

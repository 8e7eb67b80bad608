/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * LU factorisation without pivoting. The order of submission, the priorities,
 * the hints and the names of the tasks are the same as in StarPU's
 * examples/lu/xlu_implicit.c, so that schedules can be compared. As there, the
 * first index of a tile is its block column.
 */
#include "runtime/programs/dense.h"
#include "runtime/programs/programs.h"
#include "runtime/programs/tiles.h"

enum { GETRF, TRSM_LL, TRSM_RU, GEMM };

/* @sum grows with the distance from the critical path. */
static int priority_of(const struct orr_dense *dense, unsigned sum)
{
    return (int)(3 * dense->tiles) - (int)sum;
}

static void factor_panel(const struct orr_dense *dense,
                         const struct orr_tiles *a, unsigned k)
{
    struct orr_data *pivot = orr_tiles_at(a, k, k);
    struct orr_tile_access getrf = {{NULL}, pivot};

    orr_dense_submit_tile(dense, GETRF, priority_of(dense, 3 * k), getrf);
    for (unsigned i = k + 1; i < dense->tiles; i++) {
        struct orr_tile_access ll = {{pivot}, orr_tiles_at(a, i, k)};
        struct orr_tile_access ru = {{pivot}, orr_tiles_at(a, k, i)};
        int priority = priority_of(dense, 2 * k + i);

        orr_dense_submit_tile(dense, TRSM_LL, priority, ll);
        orr_dense_submit_tile(dense, TRSM_RU, priority, ru);
    }
    orr_data_wont_use(dense->run, pivot);
}

/* Updates the trailing matrix with the panel of step @k. */
static void update_rest(const struct orr_dense *dense,
                        const struct orr_tiles *a, unsigned k)
{
    for (unsigned i = k + 1; i < dense->tiles; i++) {
        for (unsigned j = k + 1; j < dense->tiles; j++) {
            struct orr_tile_access gemm = {
                {orr_tiles_at(a, k, i), orr_tiles_at(a, j, k)},
                orr_tiles_at(a, j, i)};

            orr_dense_submit_tile(dense, GEMM, priority_of(dense, k + i + j),
                                  gemm);
        }
    }
    for (unsigned i = k + 1; i < dense->tiles; i++) {
        orr_data_wont_use(dense->run, orr_tiles_at(a, k, i));
        orr_data_wont_use(dense->run, orr_tiles_at(a, i, k));
    }
}

static void submit_all(const struct orr_dense *dense)
{
    struct orr_tiles a;

    orr_tiles_init(&a, dense->run, dense->tiles, orr_dense_tile_shape(dense),
                   false);
    for (unsigned k = 0; k < dense->tiles; k++) {
        factor_panel(dense, &a, k);
        update_rest(dense, &a, k);
    }
    orr_tiles_clear(&a);
}

static const struct orr_dense_family family = {
    "lu",
    {
        [GETRF] = {"getrf", true, "starpu_slu_lu_model_getrf",
                   "starpu_dlu_lu_model_getrf"},
        [TRSM_LL] = {"trsm_ll", false, "starpu_slu_lu_model_trsm_ll",
                     "starpu_dlu_lu_model_trsm_ll"},
        [TRSM_RU] = {"trsm_ru", false, "starpu_slu_lu_model_trsm_ru",
                     "starpu_dlu_lu_model_trsm_ru"},
        [GEMM] = {"gemm", false, "starpu_slu_lu_model_gemm",
                  "starpu_dlu_lu_model_gemm"},
    }};

static const char *const names[] = {"getrf", "trsm_ll", "trsm_ru", "gemm",
                                    NULL};

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

    return n * (n + 1) * (2 * n + 1) / 6;
}

static double flops(const struct orr_app_values *values)
{
    double n = (double)orr_app_count(values, "size");

    return 2 * n * n * n / 3;
}

const struct orr_app orr_app_lu = {
    .name = "lu",
    .summary = "LU factorisation without pivoting",
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

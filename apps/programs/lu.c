/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * LU factorisation without pivoting. The order of submission, the priorities,
 * the hints and the names of the tasks are those of StarPU's
 * examples/lu/xlu_implicit.c, so that schedules can be compared. As there, the
 * first index of a tile is its block column.
 */
#include "apps/programs/app.h"
#include "apps/programs/tiles.h"

enum { GETRF, TRSM_LL, TRSM_RU, GEMM };

/* @sum grows with the distance from the critical path. */
static int priority_of(const struct orr_problem *problem, unsigned sum)
{
    return (int)(3 * problem->tiles) - (int)sum;
}

static void factor_panel(const struct orr_problem *problem,
                         const struct orr_tiles *a, unsigned k)
{
    struct orr_data *pivot = orr_tiles_at(a, k, k);
    struct orr_tile_access getrf = {{NULL}, pivot};

    orr_problem_submit(problem, GETRF, priority_of(problem, 3 * k), getrf);
    for (unsigned i = k + 1; i < problem->tiles; i++) {
        struct orr_tile_access ll = {{pivot}, orr_tiles_at(a, i, k)};
        struct orr_tile_access ru = {{pivot}, orr_tiles_at(a, k, i)};
        int priority = priority_of(problem, 2 * k + i);

        orr_problem_submit(problem, TRSM_LL, priority, ll);
        orr_problem_submit(problem, TRSM_RU, priority, ru);
    }
    orr_data_wont_use(problem->run, pivot);
}

/* Updates the trailing matrix with the panel of step @k. */
static void update_rest(const struct orr_problem *problem,
                        const struct orr_tiles *a, unsigned k)
{
    for (unsigned i = k + 1; i < problem->tiles; i++) {
        for (unsigned j = k + 1; j < problem->tiles; j++) {
            struct orr_tile_access gemm = {
                {orr_tiles_at(a, k, i), orr_tiles_at(a, j, k)},
                orr_tiles_at(a, j, i)};

            orr_problem_submit(problem, GEMM, priority_of(problem, k + i + j),
                               gemm);
        }
    }
    for (unsigned i = k + 1; i < problem->tiles; i++) {
        orr_data_wont_use(problem->run, orr_tiles_at(a, k, i));
        orr_data_wont_use(problem->run, orr_tiles_at(a, i, k));
    }
}

static void submit(const struct orr_problem *problem)
{
    struct orr_tiles a;

    orr_tiles_init(&a, problem->run, problem->tiles,
                   orr_problem_tile_shape(problem), false);
    for (unsigned k = 0; k < problem->tiles; k++) {
        factor_panel(problem, &a, k);
        update_rest(problem, &a, k);
    }
    orr_tiles_clear(&a);
}

static double tasks(double n)
{
    return n * (n + 1) * (2 * n + 1) / 6;
}

static double flops(double n)
{
    return 2 * n * n * n / 3;
}

const struct orr_app orr_app_lu = {
    .name = "lu",
    .summary = "LU factorisation without pivoting",
    .kernels =
        {
            [GETRF] = {"getrf", true, "starpu_slu_lu_model_getrf",
                       "starpu_dlu_lu_model_getrf"},
            [TRSM_LL] = {"trsm_ll", false, "starpu_slu_lu_model_trsm_ll",
                         "starpu_dlu_lu_model_trsm_ll"},
            [TRSM_RU] = {"trsm_ru", false, "starpu_slu_lu_model_trsm_ru",
                         "starpu_dlu_lu_model_trsm_ru"},
            [GEMM] = {"gemm", false, "starpu_slu_lu_model_gemm",
                      "starpu_dlu_lu_model_gemm"},
        },
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Right-looking Cholesky factorisation of the lower triangle. The order of
 * submission, the priorities and the hints are those of StarPU's
 * examples/cholesky/cholesky_implicit.c, so that schedules can be compared.
 */
#include <limits.h>

#include "apps/programs/app.h"
#include "apps/programs/tiles.h"

enum { POTRF, TRSM, SYRK, GEMM };

/*
 * @critical: the next panel depends on the task. @sum grows with the distance
 * from the critical path. If the policy limits priorities, the reference uses
 * the highest for critical tasks and 0 for the others.
 */
static int priority_of(const struct orr_problem *problem, bool critical,
                       unsigned sum)
{
    int most = orr_run_max_priority(problem->run);

    if (most < INT_MAX)
        return critical ? most : 0;
    return (int)(2 * problem->tiles) - (int)sum;
}

/* Updates column @n of the trailing matrix with the panel of step @k. */
static void update_column(const struct orr_problem *problem,
                          const struct orr_tiles *a, unsigned k, unsigned n)
{
    struct orr_tile_access syrk = {{orr_tiles_at(a, n, k)},
                                   orr_tiles_at(a, n, n)};

    orr_problem_submit(problem, SYRK,
                       priority_of(problem, n == k + 1, 2 * k + n), syrk);
    for (unsigned m = n + 1; m < problem->tiles; m++) {
        struct orr_tile_access gemm = {
            {orr_tiles_at(a, m, k), orr_tiles_at(a, n, k)},
            orr_tiles_at(a, m, n)};

        orr_problem_submit(problem, GEMM,
                           priority_of(problem, false, 2 * k + m + n), gemm);
    }
    orr_data_wont_use(problem->run, orr_tiles_at(a, n, k));
}

static void factor_panel(const struct orr_problem *problem,
                         const struct orr_tiles *a, unsigned k)
{
    struct orr_tile_access potrf = {{NULL}, orr_tiles_at(a, k, k)};

    orr_problem_submit(problem, POTRF, priority_of(problem, true, 2 * k),
                       potrf);
    for (unsigned m = k + 1; m < problem->tiles; m++) {
        struct orr_tile_access trsm = {{orr_tiles_at(a, k, k)},
                                       orr_tiles_at(a, m, k)};

        orr_problem_submit(problem, TRSM,
                           priority_of(problem, m == k + 1, 2 * k + m), trsm);
    }
    orr_data_wont_use(problem->run, orr_tiles_at(a, k, k));
}

static void submit(const struct orr_problem *problem)
{
    struct orr_tiles a;

    orr_tiles_init(&a, problem->run, problem->tiles,
                   orr_problem_tile_shape(problem), true);
    for (unsigned k = 0; k < problem->tiles; k++) {
        factor_panel(problem, &a, k);
        for (unsigned n = k + 1; n < problem->tiles; n++)
            update_column(problem, &a, k, n);
    }
    orr_tiles_clear(&a);
}

static double tasks(double n)
{
    return n * (n + 1) * (n + 2) / 6;
}

static double flops(double n)
{
    return n * n * n / 3;
}

const struct orr_app orr_app_cholesky = {
    .name = "cholesky",
    .summary = "Cholesky factorisation of the lower triangle",
    .kernels =
        {
            [POTRF] = {"potrf", true, "POTRF", "POTRF"},
            [TRSM] = {"trsm", false, "TRSM", "TRSM"},
            [SYRK] = {"syrk", false, "SYRK", "SYRK"},
            [GEMM] = {"gemm", false, "GEMM", "GEMM"},
        },
    .tasks = tasks,
    .flops = flops,
    .submit = submit,
};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bounds are as in StarPU without GLPK: `orrery compare` computes them. */
#include "apps/starpu/base/error.h"

#include <starpu_bound.h>

static const char message[] =
    "bounds are not computed here: `orrery compare` shows them";

void starpu_bound_start(int deps, int prio)
{
    (void)deps;
    (void)prio;
    sp_warn("starpu_bound_start(): %s", message);
}

void starpu_bound_stop(void)
{
}

void starpu_bound_compute(double *res, double *integer_res, int integer)
{
    *res = 0;
    if (integer && integer_res)
        *integer_res = 0;
}

void starpu_bound_print(FILE *output, int integer)
{
    (void)integer;
    fprintf(output, "%s\n", message);
}

void starpu_bound_print_dot(FILE *output)
{
    fputs("digraph bounds {}\n", output);
}

void starpu_bound_print_lp(FILE *output)
{
    fprintf(output, "/* %s */\n", "no tasks are kept for bounds");
}

void starpu_bound_print_mps(FILE *output)
{
    fprintf(output, "* %s\nENDATA\n", "no tasks are kept for bounds");
}

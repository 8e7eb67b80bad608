/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_BOUND_H
#define ORR_STARPU_BOUND_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_bound_start(int deps, int prio);
void starpu_bound_stop(void);
void starpu_bound_print_dot(FILE *output);
/* Sets *res and *integer_res to ms. */
void starpu_bound_compute(double *res, double *integer_res, int integer);
void starpu_bound_print_lp(FILE *output);
void starpu_bound_print_mps(FILE *output);
void starpu_bound_print(FILE *output, int integer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

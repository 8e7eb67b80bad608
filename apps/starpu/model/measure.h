/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEASURE_H
#define ORR_MEASURE_H

#include <starpu_task.h>

/* Times of kernels that are called on this machine, for a file that
 * ORRERY_STARPU_TIMES reads (source.h). */

/* The file of ORRERY_STARPU_MEASURE; NULL: kernels are not measured. */
const char *sp_measure_file(void);

/* The wall clock, ns. */
double sp_measure_now_ns(void);

/* A task has no times yet, and takes 1 ns. */
void sp_measure_without_times(void);

/* The kernel of @task was called, and took @ns. */
void sp_measure_add(const struct starpu_task *task, double ns);

/* When the session begins: ends the program if kernels are to be measured and
 * are not called, or if the file cannot be written. */
void sp_measures_begin(void);

/* When the session ends: writes the file, if there is one. */
void sp_measures_end(void);

#endif

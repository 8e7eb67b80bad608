/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REGRESSION_H
#define ORR_REGRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/*
 * Formulas for the durations of a kernel on a device, which StarPU fits to its
 * measurements (src/core/perfmodel/regression.c). They hold for sizes for which
 * nothing was measured, too. Sizes are in bytes, results in us.
 */
struct orr_regression {
    char *symbol;         /* StarPU's name of the kernel */
    unsigned device;      /* 0: a CPU core; g + 1: GPU g */
    unsigned samples;     /* measurements behind the first two formulas */
    uint64_t least, most; /* the sizes that were measured */

    double alpha, beta; /* alpha * size^beta; NaN: not known */
    double a, b, c;     /* a * size^b + c; NaN: not known */

    unsigned count;       /* number of coefficients; 0: none */
    double *coefficients; /* first + sum of (next * a term of the task) */
};

/* With fewer measurements, StarPU does not use a formula or a mean
 * (STARPU_CALIBRATE_MINIMUM). */
#define ORR_REGRESSION_SAMPLES 10u

/* Frees @regression; NULL is allowed. */
void orr_regression_free(struct orr_regression *regression);

/* Whether any of its formulas is known. */
bool orr_regression_is_known(const struct orr_regression *regression);

/*
 * The regression among @regressions of @symbol on @device, or on the last GPU
 * before it that has one, as GPUs are repeated beyond the measured ones;
 * borrowed. NULL: none.
 */
const struct orr_regression *orr_regression_find(const GPtrArray *regressions,
                                                 const char *symbol,
                                                 unsigned device);

/*
 * Duration of a task of @size, by alpha and beta, or by a, b and c. NaN: the
 * formula is not known, or not to be trusted: it has too few measurements, of
 * too similar sizes, or @size is more than 10 % outside of them.
 */
double orr_regression_power_us(const struct orr_regression *regression,
                               uint64_t size);
double orr_regression_offset_us(const struct orr_regression *regression,
                                uint64_t size);

/* Duration of a task with @count terms, one for each coefficient but the first;
 * 0.00001 if it would be below 0. NaN: there are not that many coefficients. */
double orr_regression_sum_us(const struct orr_regression *regression,
                             const double *terms, unsigned count);

#endif

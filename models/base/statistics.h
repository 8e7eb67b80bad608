/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STATISTICS_H
#define ORR_STATISTICS_H

#include <stddef.h>

/* A summary of repeated measurements, all of them finite. */
struct orr_summary {
    double mean;
    double median;
    double p05, p95; /* 5 and 95 % quantiles */
};

/*
 * Summarises @count (> 0) values. Quantiles are interpolated between order
 * statistics, as R does (type 7 of Hyndman and Fan, Sample quantiles in
 * statistical packages, The American Statistician 1996).
 */
void orr_summary_compute(struct orr_summary *summary, const double *values,
                         size_t count);

/*
 * The relative difference of two means, estimated from pairs of measurements
 * under the same conditions.
 */
struct orr_contrast {
    double difference; /* mean(a) / mean(b) - 1 */
    double low, high;  /* its 95 % confidence interval */
};

/*
 * Compares the means of @a and @b, @count (> 1) pairs of values above 0. With
 * q the ratio of the means, the interval is
 *
 *   q +- t(count - 1) s / (sqrt(count) mean(b)),
 *
 * s^2 being the variance of a(i) - q b(i) and t the 97.5 % quantile of
 * Student's law (the ratio estimator: Cochran, Sampling techniques, 3rd ed.,
 * section 6.3). Effects on both values of a pair, such as of a common seed,
 * cancel out. The interval is valid if means of @count
 * values are nearly normal; for makespans, which are sums of very many
 * durations, 10 pairs suffice.
 */
void orr_contrast_compute(struct orr_contrast *contrast, const double *a,
                          const double *b, size_t count);

/* The 97.5 % quantile of Student's law with @freedom (> 0) degrees of freedom.
 */
double orr_student_quantile(size_t freedom);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STATISTICS_H
#define ORR_STATISTICS_H

#include <stddef.h>

/*
 * What repeated measurements say. All finite.
 */
struct orr_summary {
    double mean;
    double median;
    double p05, p95; /* 5 and 95 % quantiles */
};

/*
 * Of @count (> 0) values. Quantiles are interpolated between order statistics
 * (type 7 of Hyndman and Fan, Sample quantiles in statistical packages, The
 * American Statistician 1996, which is what R does).
 */
void orr_summary_compute(struct orr_summary *summary, const double *values,
                         size_t count);

/*
 * How much larger one mean is than another, in proportion to it, from pairs of
 * measurements under the same conditions.
 */
struct orr_contrast {
    double difference; /* mean(a) / mean(b) - 1 */
    double low, high;  /* of its 95 % confidence interval */
};

/*
 * The ratio q of the means of @a and @b, @count (> 1) pairs, all above 0, with
 * the interval
 *
 *   q +- t(count - 1) s / (sqrt(count) mean(b)),
 *
 * s^2 being the variance of a(i) - q b(i) and t the 97.5 % quantile of
 * Student's law (the ratio estimator: Cochran, Sampling techniques, 3rd ed.,
 * section 6.3). What a pair has in common, such as the luck of its seed,
 * cancels out. It holds where means of @count values are nearly normal; for
 * makespans, which are sums of very many durations, 10 suffice.
 */
void orr_contrast_compute(struct orr_contrast *contrast, const double *a,
                          const double *b, size_t count);

/* The 97.5 % quantile of Student's law with @freedom (> 0) degrees of it. */
double orr_student_quantile(size_t freedom);

#endif

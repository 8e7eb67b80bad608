/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LOGNORMAL_H
#define ORR_LOGNORMAL_H

#include "models/base/units.h"

/*
 * Durations when only mean and deviation are known: the lognormal law with
 * these moments. It is positive and skewed to the right, as durations of
 * kernels are. Its tail is a guess, though, while a histogram is measured.
 *
 *     s^2 = ln(1 + (deviation / mean)^2),  m = ln(mean) - s^2 / 2
 *     quantile(p) = exp(m + s z(p)) = mean exp(s z(p) - s^2 / 2)
 *
 * (Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 1, chapter
 * 14), with z(p) the quantile of the normal law, by the rational functions of
 * Wichura, Algorithm AS 241, Applied Statistics 37(3), 1988. C libraries differ
 * in the last bit of exp() and log(), so both are computed here by basic
 * operations of IEEE 754.
 */
struct orr_lognormal {
    double mean;  /* ns */
    double sigma; /* s; 0: always the mean */
};

/* @mean > 0, @deviation >= 0, both in ns. */
void orr_lognormal_init(struct orr_lognormal *law, orr_time mean,
                        orr_time deviation);

/*
 * The @p quantile, @p in (0, 1), in ns; at least 1 ns, at most a thousand days.
 */
orr_time orr_lognormal_quantile(const struct orr_lognormal *law, double p);

/* z(@p): the @p quantile of the normal law, @p in (0, 1), to 16 digits. */
double orr_normal_quantile(double p);

#endif

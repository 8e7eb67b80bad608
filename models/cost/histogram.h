/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HISTOGRAM_H
#define ORR_HISTOGRAM_H

#include "models/base/units.h"

/*
 * The measured durations of a kernel, as a histogram to draw from.
 *
 * Durations are skewed: most lie in a narrow peak and a few take ten times as
 * long. Bins of equal width hide the peak, bins of equal count the tail. The
 * diagonally cut histogram (Denby and Mallows, Variations on the histogram,
 * Journal of Computational and Graphical Statistics 18(1), 2009) cuts the
 * empirical distribution function F by parallel slanted lines instead, at
 * equal steps of
 *
 *     duration + a F(duration)
 *
 * Bins have equal width for a = 0, and approach equal counts as a grows. Each
 * bin is then trimmed to its samples: a gap between two groups of samples
 * belongs to no bin, and equal samples make a bin of width 0.
 *
 * Durations are uniform inside a bin. Only basic operations of IEEE 754 are
 * used, so that every compiler gives the same draws.
 */
struct orr_histogram_bin {
    orr_time from;    /* ns, > 0 */
    orr_time to;      /* >= from; <= the next bin's from */
    unsigned samples; /* > 0 */
};

struct orr_histogram {
    unsigned count; /* of bins, >= 1 */
    struct orr_histogram_bin *bins;
    unsigned *before; /* [count + 1]: samples before each bin, then all */
    char *source;     /* where the samples come from, or NULL */
};

/* A good number of bins for @samples: 2 samples^(1/3), at most 100. */
unsigned orr_histogram_bins(unsigned samples);

/*
 * How a is chosen: a = range x share / (1 - share). The share is the part of
 * the cuts that is due to F, the rest is due to the duration. With 0.5, a peak
 * and a tail ten times as long are kept apart at any number of bins. The paper
 * takes 5 interquartile ranges for a, which fails where these are a small part
 * of the range. With 0, all bins have the same width.
 */
#define ORR_HISTOGRAM_DIAGONAL 0.5
#define ORR_HISTOGRAM_EQUAL_WIDTH 0.0

/*
 * Builds the histogram of @count (> 0) durations, each > 0 ns, which it sorts
 * in place. It has at most @bins (> 0) bins. @share, in [0, 1), is explained
 * above; with 0, bins are not trimmed. Free with orr_histogram_free().
 */
struct orr_histogram *orr_histogram_build(orr_time *durations, unsigned count,
                                          unsigned bins, double share);

/*
 * Makes a histogram of @count bins, which are copied and must have no fault.
 * Free with orr_histogram_free().
 */
struct orr_histogram *orr_histogram_new(const struct orr_histogram_bin *bins,
                                        unsigned count);

/*
 * The fault of bin @i, if the bins before it have none: a phrase such as "ends
 * before it begins", or NULL.
 */
const char *orr_histogram_fault(const struct orr_histogram_bin *bins,
                                unsigned i);

/* NULL is allowed. */
void orr_histogram_free(struct orr_histogram *histogram);

/* The number of samples in all bins. */
unsigned orr_histogram_samples(const struct orr_histogram *histogram);

/* Mean and standard deviation of the histogram, not of the samples; in ns,
 * rounded. */
orr_time orr_histogram_mean(const struct orr_histogram *histogram);
orr_time orr_histogram_deviation(const struct orr_histogram *histogram);

/*
 * The @p quantile, @p in [0, 1], in ns: the exact inverse of the cumulative
 * distribution function, rounded. A uniform @p gives a random draw.
 */
orr_time orr_histogram_quantile(const struct orr_histogram *histogram,
                                double p);

/* The number of samples in [@from, @to), ns. Bins that are partly inside count
 * in proportion. */
double orr_histogram_between(const struct orr_histogram *histogram,
                             orr_time from, orr_time to);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HISTOGRAM_H
#define ORR_HISTOGRAM_H

#include "models/base/units.h"

/*
 * What a kernel really took, as a histogram to draw durations from.
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
 * which gives bins of equal width for a = 0 and of equal count as a grows
 * without bound. Bins are then trimmed to the samples in them: a gap between
 * two groups of samples is in no bin, and equal samples are a bin of width 0.
 *
 * Inside a bin durations are uniform, and all arithmetic is that of IEEE 754's
 * basic operations, so that draws are the same whatever the compiler.
 */
struct orr_histogram_bin {
    orr_time from;    /* ns, > 0 */
    orr_time to;      /* >= from; <= the next bin's from */
    unsigned samples; /* > 0 */
};

struct orr_histogram {
    unsigned count; /* of bins, >= 1 */
    struct orr_histogram_bin *bins;
    unsigned *before; /* samples before each bin, and of all: count + 1 */
    char *source;     /* where the samples come from, or NULL */
};

/* As many bins as are worth their place: 2 n^(1/3) of @samples, <= 100. */
unsigned orr_histogram_bins(unsigned samples);

/*
 * The share of the bins that follow the samples' number, the rest following
 * their range: a = range x share / (1 - share). Half and half keeps a peak and
 * a tail ten times as long apart at any number of bins; the 5 interquartile
 * ranges that the paper has for a do not, where those are a small part of the
 * range. 0: all bins are equally wide.
 */
#define ORR_HISTOGRAM_DIAGONAL 0.5
#define ORR_HISTOGRAM_EQUAL_WIDTH 0.0

/*
 * The histogram of @count (> 0) durations, > 0 ns, which are sorted in place,
 * with @bins (> 0) bins at most; @share in [0, 1) as above. With equal widths,
 * bins that hold a sample are not trimmed. Free with orr_histogram_free().
 */
struct orr_histogram *orr_histogram_build(orr_time *durations, unsigned count,
                                          unsigned bins, double share);

/*
 * A histogram of @count bins, which are copied; none may have a fault. Free
 * with orr_histogram_free().
 */
struct orr_histogram *orr_histogram_new(const struct orr_histogram_bin *bins,
                                        unsigned count);

/*
 * What is wrong with bin @i, given that those before it are right, as a
 * message goes on after naming it: "ends before it begins". NULL: nothing.
 */
const char *orr_histogram_fault(const struct orr_histogram_bin *bins,
                                unsigned i);

/* NULL is allowed. */
void orr_histogram_free(struct orr_histogram *histogram);

unsigned orr_histogram_samples(const struct orr_histogram *histogram);

/* Of the histogram, not of the samples; ns, rounded. */
orr_time orr_histogram_mean(const struct orr_histogram *histogram);
orr_time orr_histogram_deviation(const struct orr_histogram *histogram);

/*
 * The duration that a share @p, in [0, 1], of the distribution does not
 * exceed: the exact inverse of its cumulative distribution function, rounded
 * to the ns. Of a uniform @p, a draw.
 */
orr_time orr_histogram_quantile(const struct orr_histogram *histogram,
                                double p);

/* How many samples, and fractions of them, lie from @from to @to, ns; of bins
 * of width 0 those in [@from, @to). */
double orr_histogram_between(const struct orr_histogram *histogram,
                             orr_time from, orr_time to);

#endif

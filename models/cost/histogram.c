/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Diagonally cut histograms (histogram.h): sorts the durations, and assigns
 * sample i to bin floor(height(i) / step), where height is duration + a F.
 * Samples of one bin are then consecutive, so one pass makes the bins.
 * before[] holds the cumulative counts, in which a binary search finds the bin
 * of a quantile.
 */
#include "models/cost/histogram.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

enum { MAX_BINS = 100 };

unsigned orr_histogram_bins(unsigned samples)
{
    uint64_t bins = 1;

    /* No cbrt(), whose last bit depends on the C library. */
    while (bins < MAX_BINS && bins * bins * bins < 8 * (uint64_t)samples)
        bins++;
    return (unsigned)bins;
}

static int compare_times(const void *a, const void *b)
{
    orr_time left = *(const orr_time *)a;
    orr_time right = *(const orr_time *)b;

    return (left > right) - (left < right);
}

/* The slanted lines that cut F: sorted samples, and steps of duration + a F. */
struct cuts {
    const orr_time *durations;
    unsigned count;
    double slope; /* a / count: the step of a F at one sample */
    double step;
    unsigned bins;
};

static unsigned bin_of(const struct cuts *cuts, unsigned i)
{
    double width = (double)(cuts->durations[i] - cuts->durations[0]);
    /* F jumps at each sample; use the middle of the jump. */
    double height = ((double)i + 0.5) * cuts->slope;
    double bin = cuts->step > 0 ? (width + height) / cuts->step : 0;

    return bin < cuts->bins ? (unsigned)bin : cuts->bins - 1;
}

static void append(GArray *bins, orr_time from, orr_time to, unsigned samples)
{
    struct orr_histogram_bin bin = {from, to, samples};

    g_array_append_val(bins, bin);
}

/* Appends a bin of equal width, not trimmed to its samples. */
static void append_wide(GArray *bins, const struct cuts *cuts, unsigned bin,
                        unsigned samples)
{
    double first = (double)cuts->durations[0];
    double last = (double)cuts->durations[cuts->count - 1];
    double from = first + (double)bin * cuts->step;
    double to = MIN(first + ((double)bin + 1) * cuts->step, last);

    append(bins, (orr_time)(from + 0.5), (orr_time)(to + 0.5), samples);
}

static struct orr_histogram *take(GArray *bins)
{
    struct orr_histogram *histogram = g_new0(struct orr_histogram, 1);
    unsigned before = 0;

    histogram->count = bins->len;
    histogram->bins =
        (struct orr_histogram_bin *)(void *)g_array_free(bins, FALSE);
    histogram->before = g_new(unsigned, histogram->count + 1);
    for (unsigned i = 0; i < histogram->count; i++) {
        histogram->before[i] = before;
        before += histogram->bins[i].samples;
    }
    histogram->before[histogram->count] = before;
    return histogram;
}

struct orr_histogram *orr_histogram_build(orr_time *durations, unsigned count,
                                          unsigned bins, double share)
{
    GArray *result =
        g_array_new(FALSE, FALSE, sizeof(struct orr_histogram_bin));
    struct cuts cuts = {.durations = durations, .count = count, .bins = bins};
    double range;
    unsigned end;

    g_assert(count > 0 && bins > 0 && share >= 0 && share < 1);
    qsort(durations, count, sizeof(*durations), compare_times);
    g_assert(durations[0] > 0);
    range = (double)(durations[count - 1] - durations[0]);
    cuts.slope = range * share / (1 - share) / (double)count;
    cuts.step = range / (1 - share) / (double)bins;
    for (unsigned begin = 0; begin < count; begin = end) {
        unsigned bin = bin_of(&cuts, begin);

        end = begin + 1;
        while (end < count && bin_of(&cuts, end) == bin)
            end++;
        if (share > 0)
            append(result, durations[begin], durations[end - 1], end - begin);
        else
            append_wide(result, &cuts, bin, end - begin);
    }
    return take(result);
}

const char *orr_histogram_fault(const struct orr_histogram_bin *bins,
                                unsigned i)
{
    uint64_t samples = 0;

    if (bins[i].from <= 0)
        return "begins at 0";
    if (bins[i].to < bins[i].from)
        return "ends before it begins";
    if (bins[i].samples == 0)
        return "has no samples";
    if (i > 0 && bins[i].from < bins[i - 1].to)
        return "begins before the previous bin ends";
    for (unsigned j = 0; j <= i; j++)
        samples += bins[j].samples;
    if (samples > G_MAXINT)
        return "raises the number of samples above 2147483647";
    return NULL;
}

struct orr_histogram *orr_histogram_new(const struct orr_histogram_bin *bins,
                                        unsigned count)
{
    GArray *copy = g_array_new(FALSE, FALSE, sizeof(*bins));

    g_assert(count > 0);
    for (unsigned i = 0; i < count; i++)
        g_assert(!orr_histogram_fault(bins, i));
    g_array_append_vals(copy, bins, count);
    return take(copy);
}

void orr_histogram_free(struct orr_histogram *histogram)
{
    if (!histogram)
        return;
    g_free(histogram->bins);
    g_free(histogram->before);
    g_free(histogram->source);
    g_free(histogram);
}

unsigned orr_histogram_samples(const struct orr_histogram *histogram)
{
    return histogram->before[histogram->count];
}

/* The middle of bin @i relative to the first bin: narrow peaks at long
 * durations would lose digits otherwise. */
static double middle(const struct orr_histogram *histogram, unsigned i)
{
    const struct orr_histogram_bin *bin = &histogram->bins[i];
    orr_time first = histogram->bins[0].from;

    return ((double)(bin->from - first) + (double)(bin->to - first)) / 2;
}

static double relative_mean(const struct orr_histogram *histogram)
{
    double sum = 0;

    for (unsigned i = 0; i < histogram->count; i++)
        sum += (double)histogram->bins[i].samples * middle(histogram, i);
    return sum / (double)orr_histogram_samples(histogram);
}

orr_time orr_histogram_mean(const struct orr_histogram *histogram)
{
    return histogram->bins[0].from + (orr_time)(relative_mean(histogram) + 0.5);
}

orr_time orr_histogram_deviation(const struct orr_histogram *histogram)
{
    double mean = relative_mean(histogram);
    double sum = 0;

    for (unsigned i = 0; i < histogram->count; i++) {
        const struct orr_histogram_bin *bin = &histogram->bins[i];
        double width = (double)(bin->to - bin->from);
        double off = middle(histogram, i) - mean;

        sum += (double)bin->samples * (off * off + width * width / 12);
    }
    return (orr_time)(sqrt(sum / (double)orr_histogram_samples(histogram)) +
                      0.5);
}

/* The last bin with at most @rank samples before it. */
static unsigned find_bin(const struct orr_histogram *histogram, double rank)
{
    unsigned low = 0;
    unsigned high = histogram->count - 1;

    while (low < high) {
        unsigned half = (low + high + 1) / 2;

        if ((double)histogram->before[half] <= rank)
            low = half;
        else
            high = half - 1;
    }
    return low;
}

orr_time orr_histogram_quantile(const struct orr_histogram *histogram, double p)
{
    double rank = p * (double)orr_histogram_samples(histogram);
    unsigned i = find_bin(histogram, rank);
    const struct orr_histogram_bin *bin = &histogram->bins[i];
    double within =
        (rank - (double)histogram->before[i]) / (double)bin->samples;

    g_assert(p >= 0 && p <= 1);
    return bin->from + (orr_time)(within * (double)(bin->to - bin->from) + 0.5);
}

/* The number of samples of @bin before @time, if they are uniform. */
static double samples_before(const struct orr_histogram_bin *bin, orr_time time)
{
    if (time <= bin->from)
        return 0;
    if (time >= bin->to)
        return bin->samples;
    return (double)bin->samples * (double)(time - bin->from) /
           (double)(bin->to - bin->from);
}

double orr_histogram_between(const struct orr_histogram *histogram,
                             orr_time from, orr_time to)
{
    double samples = 0;

    for (unsigned i = 0; i < histogram->count; i++)
        samples += samples_before(&histogram->bins[i], to) -
                   samples_before(&histogram->bins[i], from);
    return samples;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads and changes the values of parameters. */
#include <math.h>

#include "models/platform/parameters.h"

/* The limits of platform files. */
#define MIN_RATE 1.0
#define TOO_LARGE 9223372036854775808.0 /* 2^63 */
#define MAX_TIME ((double)(86400 * ORR_S))

static struct orr_platform_duration *
find_duration(const struct orr_platform *platform,
              const struct orr_parameter *parameter)
{
    const struct orr_platform_kernel *kernel =
        &platform->kernels[parameter->index];
    unsigned i = 0;

    while (kernel->durations[i].tile != parameter->tile ||
           kernel->durations[i].device != parameter->device)
        i++;
    g_assert(i < kernel->count);
    return &kernel->durations[i];
}

static struct orr_flops *find_flops(const struct orr_platform *platform,
                                    const struct orr_parameter *parameter)
{
    const struct orr_platform_kernel *kernel =
        &platform->kernels[parameter->index];

    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device == parameter->device)
            return &kernel->flops[i];
    }
    return NULL;
}

static double get(struct orr_platform *platform,
                  const struct orr_parameter *parameter)
{
    unsigned i = parameter->index;

    switch (parameter->kind) {
    case ORR_PARAMETER_CORES:
        return platform->cores;
    case ORR_PARAMETER_MEMORY:
        return (double)platform->gpus[i - 1].memory_bytes;
    case ORR_PARAMETER_BANDWIDTH:
        return platform->links[i].bytes_per_s;
    case ORR_PARAMETER_LATENCY:
        return (double)platform->links[i].latency;
    case ORR_PARAMETER_BELIEF_BANDWIDTH:
        return platform->beliefs[i].bytes_per_s;
    case ORR_PARAMETER_BELIEF_LATENCY:
        return platform->beliefs[i].latency_s;
    case ORR_PARAMETER_PITCH_BANDWIDTH:
        return platform->segments[i].bytes_per_s;
    case ORR_PARAMETER_PITCH_LATENCY:
        return (double)platform->segments[i].latency;
    case ORR_PARAMETER_OVERHEAD:
        return (double)*orr_platform_overhead(&platform->overheads, i);
    case ORR_PARAMETER_PEAK:
        return find_flops(platform, parameter)->peak;
    case ORR_PARAMETER_MEAN:
        return (double)find_duration(platform, parameter)->mean;
    case ORR_PARAMETER_DEVIATION:
        return (double)find_duration(platform, parameter)->deviation;
    default:
        return 1; /* the factor on present durations */
    }
}

/* @time times @factor, rounded to the ns. A result that does not fit becomes
 * the largest time, which files do not allow. */
static orr_time scaled(orr_time time, double factor, orr_time least)
{
    double value = rint((double)time * factor);

    return value > MAX_TIME ? (orr_time)MAX_TIME + 1
                            : MAX((orr_time)value, least);
}

/* Scales the histogram of a duration. Durations may share one, so this one gets
 * a copy. */
static void scale_histogram(struct orr_platform *platform,
                            struct orr_platform_duration *duration,
                            double factor)
{
    const struct orr_histogram *old = duration->histogram;
    struct orr_histogram_bin *bins;
    struct orr_histogram *histogram;

    if (!old)
        return;
    bins = g_new(struct orr_histogram_bin, old->count);
    for (unsigned i = 0; i < old->count; i++) {
        bins[i] = old->bins[i];
        bins[i].from = scaled(bins[i].from, factor, 1);
        bins[i].to = scaled(bins[i].to, factor, 1);
    }
    histogram = orr_histogram_new(bins, old->count);
    g_free(bins);
    histogram->source = g_strdup(old->source);
    g_ptr_array_add(platform->histograms, histogram);
    duration->histogram = histogram;
}

static void scale_duration(struct orr_platform *platform,
                           struct orr_platform_duration *duration,
                           double factor)
{
    duration->mean = scaled(duration->mean, factor, 1);
    duration->deviation = scaled(duration->deviation, factor, 0);
    scale_histogram(platform, duration, factor);
}

static void scale(struct orr_platform *platform,
                  const struct orr_parameter *parameter, double factor)
{
    struct orr_platform_kernel *kernel = &platform->kernels[parameter->index];
    struct orr_flops *flops = find_flops(platform, parameter);

    if (flops)
        flops->peak /= factor;
    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].device == parameter->device)
            scale_duration(platform, &kernel->durations[i], factor);
    }
}

/* Sets the mean and scales the histogram, but not the deviation, which is
 * another parameter. */
static void set_mean(struct orr_platform *platform,
                     struct orr_platform_duration *duration, double mean)
{
    scale_histogram(platform, duration, mean / (double)duration->mean);
    duration->mean = (orr_time)mean;
}

static void put(struct orr_platform *platform,
                const struct orr_parameter *parameter, double value)
{
    unsigned i = parameter->index;

    switch (parameter->kind) {
    case ORR_PARAMETER_CORES:
        orr_platform_set_cores(platform, (unsigned)value);
        break;
    case ORR_PARAMETER_MEMORY:
        platform->gpus[i - 1].memory_bytes = (uint64_t)value;
        break;
    case ORR_PARAMETER_BANDWIDTH:
        platform->links[i].bytes_per_s = value;
        break;
    case ORR_PARAMETER_LATENCY:
        platform->links[i].latency = (orr_time)value;
        break;
    case ORR_PARAMETER_BELIEF_BANDWIDTH:
        platform->beliefs[i].bytes_per_s = value;
        break;
    case ORR_PARAMETER_BELIEF_LATENCY:
        platform->beliefs[i].latency_s = value;
        break;
    case ORR_PARAMETER_PITCH_BANDWIDTH:
        platform->segments[i].bytes_per_s = value;
        break;
    case ORR_PARAMETER_PITCH_LATENCY:
        platform->segments[i].latency = (orr_time)value;
        break;
    case ORR_PARAMETER_OVERHEAD:
        *orr_platform_overhead(&platform->overheads, i) = (orr_time)value;
        break;
    case ORR_PARAMETER_PEAK:
        find_flops(platform, parameter)->peak = value;
        break;
    case ORR_PARAMETER_MEAN:
        set_mean(platform, find_duration(platform, parameter), value);
        break;
    case ORR_PARAMETER_DEVIATION:
        find_duration(platform, parameter)->deviation = (orr_time)value;
        break;
    default:
        scale(platform, parameter, value);
    }
}

/* Why no platform file may have @value in @unit; NULL if it may. */
static const char *objection(enum orr_parameter_unit unit, double value)
{
    switch (unit) {
    case ORR_UNIT_COUNT:
        return value < 1 || value > ORR_MAX_CORES ? "1 to 100,000 cores" : NULL;
    case ORR_UNIT_BYTES:
        return value < (double)ORR_MIN_MEMORY || value >= TOO_LARGE
                   ? "2MiB, of which a run can use one, to 2^63 bytes"
                   : NULL;
    case ORR_UNIT_RATE:
        return value < MIN_RATE || value >= TOO_LARGE
                   ? "a rate of at least 1 Bps and below 2^63 bytes/s"
                   : NULL;
    case ORR_UNIT_TIME:
        return value > MAX_TIME ? "a time of at most a day" : NULL;
    case ORR_UNIT_SECONDS:
        return value > MAX_TIME / 1e9 ? "a time of at most a day" : NULL;
    case ORR_UNIT_FLOPS:
        return value < 1 || value >= TOO_LARGE ? "1 Flop/s to 2^63 of them"
                                               : NULL;
    case ORR_UNIT_NUMBER:
        break;
    }
    return NULL;
}

static bool refuse(const struct orr_platform *platform,
                   const struct orr_parameter *parameter, const char *expected,
                   GError **error)
{
    g_autofree char *path = orr_parameter_path(platform, parameter, 0);

    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s: expected %s", path,
                expected);
    return false;
}

bool orr_parameter_set(struct orr_platform *platform,
                       struct orr_parameter *parameter,
                       const struct orr_parameter_value *value, GError **error)
{
    enum orr_parameter_unit unit = orr_parameter_unit(parameter->kind);
    double after = value->number;

    parameter->before = get(platform, parameter);
    if (value->is_factor)
        after *= parameter->before;
    if (unit == ORR_UNIT_COUNT || unit == ORR_UNIT_BYTES ||
        unit == ORR_UNIT_TIME)
        after = rint(after);
    if (parameter->kind == ORR_PARAMETER_MEAN)
        after = MAX(after, 1);
    if (objection(unit, after)) {
        return refuse(platform, parameter, objection(unit, after), error);
    }
    parameter->after = after;
    put(platform, parameter, after);
    return true;
}

/* Checks that the histogram of a mean, if any, is allowed in a file. */
static bool check_histogram(const struct orr_platform *platform,
                            const struct orr_parameter *parameter)
{
    const struct orr_histogram *histogram =
        parameter->kind == ORR_PARAMETER_MEAN
            ? find_duration(platform, parameter)->histogram
            : NULL;

    return !histogram ||
           (double)histogram->bins[histogram->count - 1].to <= MAX_TIME;
}

bool orr_parameters_check(struct orr_platform *platform, GError **error)
{
    for (int k = 0; k < ORR_PARAMETERS; k++) {
        enum orr_parameter_kind kind = (enum orr_parameter_kind)k;
        g_autoptr(GArray) parameters = orr_parameters_list(platform, kind);

        for (unsigned i = 0; i < parameters->len; i++) {
            const struct orr_parameter *parameter =
                &g_array_index(parameters, struct orr_parameter, i);
            const char *expected =
                objection(orr_parameter_unit(kind), get(platform, parameter));

            if (expected)
                return refuse(platform, parameter, expected, error);
            if (!check_histogram(platform, parameter))
                return refuse(platform, parameter,
                              "a histogram of at most a day", error);
        }
    }
    return true;
}

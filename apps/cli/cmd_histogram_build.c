/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>

#include "apps/cli/cmd.h"
#include "apps/histogram/histogram.h"
#include "models/format/platform_save.h"

static const struct orr_syntax syntax = {
    "histogram build",
    "SAMPLES...",
    1,
    INT_MAX,
    "Builds histograms of kernel durations, for --durations sampled, and "
    "writes them\ninto a copy of a platform file. SAMPLES are tasks.rec files "
    "of StarPU, traces of\norrery, or other CSV files with the columns name, "
    "device and duration_us.",
    {&orr_options_samples, &orr_options_histogram_build,
     &orr_options_histogram_output, NULL},
};

/* Ratio of sampled and calibrated means above which an error is likely. */
#define UNLIKELY 10.0

static void check_units(const struct orr_platform *platform,
                        const struct orr_sample_group *group,
                        orr_time calibrated)
{
    double ratio = orr_kernel_samples_mean(group) / (double)calibrated;
    g_autofree char *title = orr_kernel_samples_title(
        platform, group->kernel, group->tile, group->device);
    g_autofree char *mean =
        orr_format_time((orr_time)(orr_kernel_samples_mean(group) + 0.5));
    g_autofree char *before = orr_format_time(calibrated);

    if (ratio > UNLIKELY || ratio < 1 / UNLIKELY)
        orr_message_print(syntax.command,
                          "%s: the mean of the samples is %s, but the "
                          "calibrated mean is %s; are the units right?",
                          title, mean, before);
}

/* Returns whether the platform models these durations; prints a message. */
static bool is_modelled(const struct orr_platform *platform,
                        const struct orr_sample_group *group)
{
    g_autofree char *title = orr_kernel_samples_title(
        platform, group->kernel, group->tile, group->device);

    if (!orr_platform_flops(&platform->kernels[group->kernel], group->device))
        return false;
    orr_message_print(
        syntax.command,
        "%s skipped: the platform computes its duration from its flops", title);
    return true;
}

/* Returns the calibrated duration for @group; a new one if there is none. */
static struct orr_platform_duration *
find_duration(struct orr_platform *platform,
              const struct orr_sample_group *group)
{
    struct orr_platform_kernel *kernel = &platform->kernels[group->kernel];
    struct orr_platform_duration *duration;

    for (unsigned i = 0; i < kernel->count; i++) {
        duration = &kernel->durations[i];
        if (duration->tile == group->tile && duration->device == group->device)
            return duration;
    }
    kernel->durations = g_renew(struct orr_platform_duration, kernel->durations,
                                kernel->count + 1);
    duration = &kernel->durations[kernel->count++];
    *duration = (struct orr_platform_duration){
        .tile = group->tile,
        .device = group->device,
        .mean = (orr_time)(orr_kernel_samples_mean(group) + 0.5),
        .deviation = (orr_time)(orr_kernel_samples_deviation(group) + 0.5),
        .samples = group->durations->len,
    };
    return duration;
}

static void put(JsonObject *row, const char *name, orr_time time)
{
    json_object_set_double_member(row, name, orr_time_to_seconds(time));
}

static void add_row(JsonArray *rows, const struct orr_platform *platform,
                    const struct orr_sample_group *group,
                    const struct orr_histogram *histogram, orr_time calibrated)
{
    JsonObject *row =
        orr_histogram_add_row(rows, platform, group->kernel, group->tile,
                              group->device, group->durations->len);

    json_object_set_int_member(row, "bins", histogram->count);
    put(row, "least_s", orr_histogram_quantile(histogram, 0));
    put(row, "median_s", orr_histogram_quantile(histogram, 0.5));
    put(row, "mean_s", orr_histogram_mean(histogram));
    put(row, "most_s", orr_histogram_quantile(histogram, 1));
    put(row, "deviation_s", orr_histogram_deviation(histogram));
    put(row, "calibrated_s", calibrated);
}

static void build_all(struct orr_platform *platform,
                      const struct orr_kernel_samples *samples, unsigned bins,
                      JsonArray *rows)
{
    for (guint i = 0; i < samples->groups->len; i++) {
        const struct orr_sample_group *group = samples->groups->pdata[i];
        struct orr_platform_duration *duration;
        struct orr_histogram *histogram;

        if (is_modelled(platform, group))
            continue;
        duration = find_duration(platform, group);
        if (!platform->kernels[group->kernel].source)
            orr_source_add(&platform->kernels[group->kernel].source,
                           samples->source->str);
        histogram = orr_kernel_samples_build(samples, group, bins,
                                             ORR_HISTOGRAM_DIAGONAL);
        g_ptr_array_add(platform->histograms, histogram);
        duration->histogram = histogram;
        check_units(platform, group, duration->mean);
        add_row(rows, platform, group, histogram, duration->mean);
    }
    for (unsigned k = 0; k < platform->kernel_count; k++)
        orr_platform_kernel_sort(&platform->kernels[k]);
    platform->uncalibrated &= ~(unsigned)ORR_PLATFORM_KERNELS;
}

static bool write_file(const struct orr_platform *platform,
                       const struct orr_kernel_samples *samples,
                       const char *path, GError **error)
{
    g_autofree char *comment = g_strdup_printf(
        "The format is described in docs/PLATFORMS.md. Made by orrery "
        "histogram build\n     from %s and the samples in %s.",
        platform->path, samples->source->str);
    const struct orr_platform_sources sources = {
        .comment = comment,
    };

    return orr_platform_save(platform, &sources, path, error);
}

static enum orr_exit build(const struct orr_histogram_request *request,
                           struct orr_platform *platform, char **paths,
                           int count)
{
    struct orr_kernel_samples_hint hint = orr_histogram_hint(request, platform);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonArray) rows = json_array_new();
    struct orr_kernel_samples samples;
    bool good;

    orr_kernel_samples_init(&samples, platform, &hint);
    samples.grows = request->add_kernels ? platform : NULL;
    good = orr_histogram_read(&samples, paths, count, syntax.command);
    if (good) {
        build_all(platform, &samples, (unsigned)request->bins, rows);
        good = write_file(platform, &samples, request->output, &error);
        if (good)
            orr_output_rows(rows, request->format);
        else
            orr_message_print(syntax.command, "%s", error->message);
    }
    orr_kernel_samples_clear(&samples);
    return good ? ORR_EXIT_OK : ORR_EXIT_FAILURE;
}

static enum orr_exit command(int argc, char **argv)
{
    struct orr_histogram_request request;
    struct orr_platform *platform;
    enum orr_exit status;
    int operands;

    orr_histogram_request_init(&request);
    if (!orr_syntax_read(&syntax, argc, argv, &request, &operands, &status))
        return status;
    if (!request.output) {
        orr_message_print(syntax.command, "--output FILE.xml is missing");
        return ORR_EXIT_USAGE;
    }
    if (request.add_kernels && !request.app) {
        orr_message_print(syntax.command,
                          "--add-kernels needs --app, the application of the "
                          "kernels");
        return ORR_EXIT_USAGE;
    }
    platform = orr_histogram_platform(&request, syntax.command, &status);
    if (platform)
        status = build(&request, platform, argv, operands);
    orr_platform_free(platform);
    return status;
}

const struct orr_cmd orr_cmd_histogram_build = {
    .name = "build",
    .summary = "build histograms of kernel durations",
    .syntax = &syntax,
    .main = command};

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The reader of task records, in both formats, and what is made of them:
 * samples of the kernels of a platform, and histograms. $ORR_FUZZ_PLATFORM
 * names the platform.
 */
#include <stdio.h>

#include "apps/histogram/kernel_samples.h"
#include "models/cost/histogram.h"
#include "models/format/platform_xml.h"
#include "models/import/record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

static void check_record(const char *path)
{
    g_autoptr(GError) error = NULL;
    struct orr_record *record = orr_record_read(path, &error);

    if (!record != (error != NULL) || (record && record->count == 0))
        abort();
    for (unsigned i = 0; record && i < record->count; i++) {
        const struct orr_record_task *task = &record->tasks[i];

        if (task->duration <= 0 || !task->name || *task->name == '\0' ||
            task->line == 0)
            abort();
    }
    orr_record_free(record);
}

static void check_bins(const struct orr_histogram *histogram)
{
    for (unsigned i = 0; i < histogram->count; i++) {
        const char *fault = orr_histogram_fault(histogram->bins, i);

        if (!fault)
            continue;
        fprintf(stderr, "bin %u %s\n", i, fault);
        abort();
    }
}

/* Builds the histograms that a user may ask for. */
static void build(const struct orr_kernel_samples *samples,
                  const struct orr_sample_group *group)
{
    for (unsigned bins = 0; bins < 4; bins++) {
        struct orr_histogram *histogram = orr_kernel_samples_build(
            samples, group, bins, ORR_HISTOGRAM_DIAGONAL);

        check_bins(histogram);
        orr_histogram_free(histogram);
        orr_histogram_free(orr_kernel_samples_build(samples, group, bins,
                                                    ORR_HISTOGRAM_EQUAL_WIDTH));
    }
    if (!(orr_kernel_samples_mean(group) > 0) ||
        !(orr_kernel_samples_deviation(group) >= 0))
        abort();
}

static void check_samples(const char *path)
{
    const struct orr_kernel_samples_hint hint = {
        .precision = ORR_SINGLE, .tile = 960, .gpus = 1};
    struct orr_platform *platform =
        orr_platform_read(getenv("ORR_FUZZ_PLATFORM"), NULL);
    struct orr_kernel_samples samples;

    if (!platform)
        abort();
    orr_kernel_samples_init(&samples, platform, &hint);
    if (orr_kernel_samples_read(&samples, path, NULL)) {
        for (unsigned i = 0; i < samples.groups->len; i++)
            build(&samples, samples.groups->pdata[i]);
    }
    orr_kernel_samples_clear(&samples);
    orr_platform_free(platform);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *path = fuzz_file_new(data, size);

    check_record(path);
    check_samples(path);
    fuzz_file_free(path);
    return 0;
}

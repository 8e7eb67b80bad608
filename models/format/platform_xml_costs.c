/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the calibration of copies, overheads, and measured kernels. */
#include "models/format/platform_reader.h"

#include <string.h>

#define MAX_SAMPLES 1000000000

static void start_pair(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_belief *belief;
    unsigned from;
    unsigned to;

    if (!orr_platform_reader_nodes(xml, reader, &from, &to))
        return;
    belief = &platform->beliefs[from * platform->node_count + to];
    if (belief->bytes_per_s > 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second pair from %s to %s",
                     orr_xml_text(xml, "from"), orr_xml_text(xml, "to"));
        return;
    }
    if (orr_xml_rate(xml, "bandwidth", &belief->bytes_per_s))
        (void)orr_xml_seconds(xml, "latency", &belief->latency_s);
}

static const struct orr_xml_element pair_element = {
    .name = "pair",
    .required = {"from", "to", "bandwidth", "latency"},
    .start = start_pair,
};

const struct orr_xml_element orr_platform_xml_calibration = {
    .name = "calibration",
    .optional = {"source"},
    .children = {{&pair_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};

/* The member of @overheads whose name in files is @name; NULL if there is none.
 */
static orr_time *find_overhead(struct orr_platform_overheads *overheads,
                               const char *name)
{
    for (unsigned i = 0; i < ORR_OVERHEADS; i++) {
        if (strcmp(orr_platform_overhead_name(i), name) == 0)
            return orr_platform_overhead(overheads, i);
    }
    return NULL;
}

static void start_overhead(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    const char *name = orr_xml_text(xml, "name");
    orr_time *time = find_overhead(&reader->platform->overheads, name);
    g_autofree char *quoted = NULL;

    if (!time) {
        quoted = orr_quote(name);
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "no overhead is called %s; there are: submit, push, "
                     "fetch, progress, kernel-queue, transfer-queue, "
                     "stream-start, gpu-alloc, gpu-free, host-pin",
                     quoted);
        return;
    }
    if (!orr_platform_reader_add(reader->overheads, name, 0)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second overhead %s", name);
        return;
    }
    (void)orr_xml_time(xml, "time", time);
}

static const struct orr_xml_element overhead_element = {
    .name = "overhead",
    .required = {"name", "time"},
    .start = start_overhead,
};

const struct orr_xml_element orr_platform_xml_overheads = {
    .name = "overheads",
    .optional = {"source"},
    .children = {{&overhead_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};

static void add_duration(struct orr_xml *xml,
                         struct orr_platform_reader *reader,
                         const struct orr_platform_duration *duration)
{
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count - 1];
    unsigned entry = duration->tile * ORR_MAX_NODES + duration->device;

    if (!g_hash_table_add(reader->entries, GUINT_TO_POINTER(entry))) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second duration at tile %u on %s",
                     duration->tile,
                     orr_platform_device_name(platform, duration->device));
        return;
    }
    kernel->durations = orr_platform_reader_grow(
        kernel->durations, kernel->count, sizeof(*duration));
    kernel->durations[kernel->count++] = *duration;
    reader->opened++;
}

static void start_duration(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform_duration duration = {.tile = 0};
    g_auto(GStrv) devices = g_strsplit(orr_xml_text(xml, "device"), " ", -1);

    if (!orr_xml_count(xml, "tile", 1, ORR_PLATFORM_MAX_TILE, &duration.tile) ||
        !orr_xml_time(xml, "mean", &duration.mean) ||
        !orr_xml_seconds(xml, "mean", &duration.mean_s) ||
        !orr_xml_time(xml, "deviation", &duration.deviation) ||
        !orr_xml_count(xml, "samples", 0, MAX_SAMPLES, &duration.samples))
        return;
    if (duration.mean == 0) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "a mean of less than half a ns");
        return;
    }
    if (!devices[0])
        orr_xml_fail(xml, ORR_ERROR_VALUE, "device of <duration> is empty");
    reader->opened = 0;
    for (char **device = devices; *device; device++) {
        if (!orr_platform_reader_device(xml, reader, *device, &duration.device))
            return;
        add_duration(xml, reader, &duration);
    }
}

static const struct orr_xml_element duration_element = {
    .name = "duration",
    .required = {"tile", "device", "mean"},
    .optional = {"deviation", "samples"},
    .children = {{&orr_platform_xml_histogram, ORR_XML_OPTIONAL}},
    .start = start_duration,
};

static bool get_precision(struct orr_xml *xml, enum orr_precision *precision)
{
    const char *text = orr_xml_text(xml, "precision");
    g_autofree char *quoted = NULL;

    *precision = ORR_SINGLE;
    if (strcmp(text, orr_precision_name(ORR_SINGLE)) == 0)
        return true;
    *precision = ORR_DOUBLE;
    if (strcmp(text, orr_precision_name(ORR_DOUBLE)) == 0)
        return true;
    quoted = orr_quote(text);
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "precision of <kernel>: %s is neither single nor double",
                 quoted);
    return false;
}

static void start_kernel(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel kernel = {.count = 0};
    const char *family = NULL;
    const char *name = NULL;
    const char *source = orr_xml_text(xml, "source");
    g_autofree char *key = NULL;

    if (!orr_xml_name(xml, "family", &family) ||
        !orr_xml_name(xml, "name", &name) ||
        !get_precision(xml, &kernel.precision))
        return;
    key = g_strdup_printf("%s of %s in %s precision", name, family,
                          orr_precision_name(kernel.precision));
    if (!orr_platform_reader_add(reader->kernels, key, 0)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second kernel %s", key);
        return;
    }
    if (platform->kernel_count >= ORR_MAX_KERNELS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %u kernels",
                     ORR_MAX_KERNELS);
        return;
    }
    kernel.family = g_strdup(family);
    kernel.name = g_strdup(name);
    kernel.source = g_strdup(source ? source : reader->kernels_source);
    platform->kernels = orr_platform_reader_grow(
        platform->kernels, platform->kernel_count, sizeof(kernel));
    platform->kernels[platform->kernel_count++] = kernel;
    g_hash_table_remove_all(reader->entries);
}

static void end_kernel(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count - 1];

    if (kernel->count == 0 && kernel->flops_count == 0)
        orr_xml_fail(xml, ORR_ERROR_SYNTAX,
                     "<kernel> lacks <duration> or <flops>");
    orr_platform_kernel_sort(kernel);
}

static const struct orr_xml_element kernel_element = {
    .name = "kernel",
    .required = {"family", "name", "precision"},
    .optional = {"source"},
    .children = {{&duration_element, ORR_XML_ANY},
                 {&orr_platform_xml_flops, ORR_XML_ANY}},
    .start = start_kernel,
    .end = end_kernel,
};

static void start_kernels(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;

    reader->kernels_source = g_strdup(orr_xml_text(xml, "source"));
}

const struct orr_xml_element orr_platform_xml_kernels = {
    .name = "kernels",
    .optional = {"source"},
    .children = {{&kernel_element, ORR_XML_SOME}},
    .start = start_kernels,
};

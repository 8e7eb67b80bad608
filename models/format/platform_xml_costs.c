/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the sections of a platform file that hold costs: <pitch>,
 * <calibration>, <overheads>, and <kernels> with their measured durations,
 * histograms and models. Handlers fill the platform; an element that is open
 * works on the last kernel, duration or curve that was added.
 */
#include <string.h>

#include "models/format/platform_reader.h"

#define MAX_SEGMENTS 4096
#define MAX_OPERATIONS 1e6 /* x tile^3 */
#define MAX_POINTS 256     /* of a curve */
#define MAX_BINS 10000
#define MAX_SAMPLES 1000000000

/* ---- pitch: copies whose duration depends on the pitch (pitch.h) ---- */

static bool get_kind(struct orr_xml *xml, bool *pitched)
{
    const char *kind = orr_xml_text(xml, "kind");
    g_autofree char *quoted = NULL;

    *pitched = strcmp(kind, "pitched") == 0;
    if (*pitched || strcmp(kind, "contiguous") == 0)
        return true;
    quoted = orr_quote(kind);
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "kind of <segment>: %s is neither pitched nor contiguous",
                 quoted);
    return false;
}

/* Reads a range from the attributes called @above and @to. */
static bool get_range(struct orr_xml *xml, const char *above, const char *to,
                      uint64_t *from_bytes, uint64_t *to_bytes)
{
    *from_bytes = 0;
    *to_bytes = UINT64_MAX;
    if (!orr_xml_bytes(xml, above, from_bytes) ||
        !orr_xml_bytes(xml, to, to_bytes))
        return false;
    if (*from_bytes < *to_bytes)
        return true;
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "no figure is above %" G_GUINT64_FORMAT
                 " (%s) and at most %" G_GUINT64_FORMAT " (%s)",
                 *from_bytes, above, *to_bytes, to);
    return false;
}

/* Checks that there are copies of this kind in this direction. */
static bool check_kind(struct orr_xml *xml, const struct orr_platform *platform,
                       const struct orr_pitch_segment *segment)
{
    const char *from = orr_platform_node_name(platform, segment->from);
    const char *to = orr_platform_node_name(platform, segment->to);

    if (orr_platform_route(platform, segment->from, segment->to)->count == 0)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "no route from %s to %s", from, to);
    else if (!segment->pitched && (orr_xml_text(xml, "pitch-above") ||
                                   orr_xml_text(xml, "pitch-to")))
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "a contiguous copy has no pitch to be limited");
    else if (segment->pitched && segment->from != ORR_RAM &&
             segment->to != ORR_RAM)
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "copies from %s to %s are never pitched: data are "
                     "contiguous in the memories of GPUs",
                     from, to);
    else
        return true;
    return false;
}

/* Checks that @segment overlaps no other segment of @platform. */
static bool check_others(struct orr_xml *xml,
                         const struct orr_platform *platform,
                         const struct orr_pitch_segment *segment)
{
    for (unsigned i = 0; i < platform->segment_count; i++) {
        if (!orr_pitch_overlap(&platform->segments[i], segment))
            continue;
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "this segment from %s to %s overlaps number %u of the "
                     "file",
                     orr_platform_node_name(platform, segment->from),
                     orr_platform_node_name(platform, segment->to), i + 1);
        return false;
    }
    return true;
}

static void start_segment(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_pitch_segment segment = {.latency = 0};

    if (!orr_platform_reader_nodes(xml, reader, &segment.from, &segment.to) ||
        !get_kind(xml, &segment.pitched) ||
        !get_range(xml, "bytes-above", "bytes-to", &segment.bytes_above,
                   &segment.bytes_to) ||
        !get_range(xml, "pitch-above", "pitch-to", &segment.pitch_above,
                   &segment.pitch_to) ||
        !orr_xml_time(xml, "latency", &segment.latency) ||
        !orr_xml_rate(xml, "bandwidth", &segment.bytes_per_s) ||
        !check_kind(xml, platform, &segment) ||
        !check_others(xml, platform, &segment))
        return;
    if (platform->segment_count >= MAX_SEGMENTS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d segments",
                     MAX_SEGMENTS);
        return;
    }
    platform->segments = orr_platform_reader_grow(
        platform->segments, platform->segment_count, sizeof(segment));
    platform->segments[platform->segment_count++] = segment;
}

static const struct orr_xml_element segment_element = {
    .name = "segment",
    .required = {"from", "to", "kind", "latency", "bandwidth"},
    .optional = {"bytes-above", "bytes-to", "pitch-above", "pitch-to"},
    .start = start_segment,
};

const struct orr_xml_element orr_platform_xml_pitch = {
    .name = "pitch",
    .optional = {"source"},
    .children = {{&segment_element, ORR_XML_SOME}},
    .start = orr_platform_reader_source,
};

/* ---- flops: kernels that are modelled, not measured ---- */

static struct orr_platform_kernel *
open_kernel(const struct orr_platform_reader *reader)
{
    return &reader->platform->kernels[reader->platform->kernel_count - 1];
}

/* Reads the operations of the kernel; by default those known for its name. */
static bool get_operations(struct orr_xml *xml,
                           const struct orr_platform_kernel *kernel,
                           double *operations)
{
    g_autofree char *known = NULL;

    *operations = orr_flops_operations(kernel->name);
    if (!orr_xml_number(xml, "operations", MAX_OPERATIONS, operations))
        return false;
    if (*operations > 0)
        return true;
    known = orr_flops_known();
    orr_xml_fail(xml, ORR_ERROR_VALUE,
                 "<flops> of kernel %s needs operations=\"...\", how many it "
                 "does in units of tile^3; they are known of %s",
                 kernel->name, known);
    return false;
}

/* Checks that the current kernel has no duration or model on @device yet. */
static bool check_device(struct orr_xml *xml,
                         const struct orr_platform_reader *reader,
                         unsigned device)
{
    const struct orr_platform_kernel *kernel = open_kernel(reader);
    const char *name = orr_platform_device_name(reader->platform, device);

    if (orr_platform_flops(kernel, device)) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "second <flops> on %s", name);
        return false;
    }
    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].device != device)
            continue;
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "<flops> on %s, where a <duration> was measured", name);
        return false;
    }
    return true;
}

static void start_flops(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform_kernel *kernel = open_kernel(reader);
    struct orr_flops flops = {.device = 0};
    g_auto(GStrv) devices = g_strsplit(orr_xml_text(xml, "device"), " ", -1);

    if (!orr_xml_flops(xml, "peak", &flops.peak) ||
        !get_operations(xml, kernel, &flops.operations))
        return;
    if (!devices[0])
        orr_xml_fail(xml, ORR_ERROR_VALUE, "device of <flops> is empty");
    reader->curves = 0;
    for (char **device = devices; *device; device++) {
        if (!orr_platform_reader_device(xml, reader, *device, &flops.device) ||
            !check_device(xml, reader, flops.device))
            return;
        kernel->flops = orr_platform_reader_grow(
            kernel->flops, kernel->flops_count, sizeof(flops));
        kernel->flops[kernel->flops_count++] = flops;
        reader->curves++;
    }
}

static void add_point(struct orr_flops *flops,
                      const struct orr_flops_point *point)
{
    flops->points = orr_platform_reader_grow(flops->points, flops->point_count,
                                             sizeof(*point));
    flops->points[flops->point_count++] = *point;
}

/* Adds a point to the curves of all devices of the current <flops>. */
static void start_efficiency(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform_kernel *kernel = open_kernel(reader);
    const struct orr_flops *last = &kernel->flops[kernel->flops_count - 1];
    unsigned previous =
        last->point_count ? last->points[last->point_count - 1].tile : 0;
    struct orr_flops_point point = {.tile = 0};

    if (!orr_xml_count(xml, "tile", 1, ORR_PLATFORM_MAX_TILE, &point.tile) ||
        !orr_xml_number(xml, "share", 1, &point.efficiency))
        return;
    if (point.tile <= previous) {
        orr_xml_fail(xml, ORR_ERROR_VALUE,
                     "an <efficiency> at tile %u after that at tile %u",
                     point.tile, previous);
        return;
    }
    if (last->point_count >= MAX_POINTS) {
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d points of a curve",
                     MAX_POINTS);
        return;
    }
    for (unsigned i = 1; i <= reader->curves; i++)
        add_point(&kernel->flops[kernel->flops_count - i], &point);
}

static const struct orr_xml_element efficiency_element = {
    .name = "efficiency",
    .required = {"tile", "share"},
    .start = start_efficiency,
};

static const struct orr_xml_element flops_element = {
    .name = "flops",
    .required = {"device", "peak"},
    .optional = {"operations"},
    .children = {{&efficiency_element, ORR_XML_SOME}},
    .start = start_flops,
};

/* ---- histogram: the distribution of durations (histogram.h) ---- */

static void start_histogram(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;

    g_array_set_size(reader->bins, 0);
    g_free(reader->histogram_source);
    reader->histogram_source = g_strdup(orr_xml_text(xml, "source"));
}

static void start_bin(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_histogram_bin bin = {.from = 0};
    unsigned index = reader->bins->len;
    const char *fault;

    if (!orr_xml_time(xml, "from", &bin.from) ||
        !orr_xml_time(xml, "to", &bin.to) ||
        !orr_xml_count(xml, "samples", 0, G_MAXINT, &bin.samples))
        return;
    g_array_append_val(reader->bins, bin);
    fault = orr_histogram_fault(
        &g_array_index(reader->bins, struct orr_histogram_bin, 0), index);
    if (fault)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "this <bin> %s", fault);
    else if (index >= MAX_BINS)
        orr_xml_fail(xml, ORR_ERROR_VALUE, "more than %d bins", MAX_BINS);
}

/* Gives the histogram to all devices of the current <duration>. */
static void end_histogram(struct orr_xml *xml, void *data)
{
    struct orr_platform_reader *reader = data;
    struct orr_platform *platform = reader->platform;
    struct orr_platform_kernel *kernel =
        &platform->kernels[platform->kernel_count - 1];
    struct orr_histogram *histogram = orr_histogram_new(
        &g_array_index(reader->bins, struct orr_histogram_bin, 0),
        reader->bins->len);

    (void)xml;
    histogram->source = g_strdup(reader->histogram_source);
    g_ptr_array_add(platform->histograms, histogram);
    for (unsigned i = 0; i < reader->opened; i++)
        kernel->durations[kernel->count - 1 - i].histogram = histogram;
}

static const struct orr_xml_element bin_element = {
    .name = "bin",
    .required = {"from", "to", "samples"},
    .start = start_bin,
};

static const struct orr_xml_element histogram_element = {
    .name = "histogram",
    .optional = {"source"},
    .children = {{&bin_element, ORR_XML_SOME}},
    .start = start_histogram,
    .end = end_histogram,
};

/* ---- calibration, overheads and kernels ---- */

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
    .children = {{&histogram_element, ORR_XML_OPTIONAL}},
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
                 {&flops_element, ORR_XML_ANY}},
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

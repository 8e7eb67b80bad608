/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads <flops>: kernels that are modelled, not measured. */
#include "models/format/platform_reader.h"

#include <string.h>

#define MAX_OPERATIONS 1e6 /* x tile^3 */
#define MAX_POINTS 256     /* of a curve */

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

const struct orr_xml_element orr_platform_xml_flops = {
    .name = "flops",
    .required = {"device", "peak"},
    .optional = {"operations"},
    .children = {{&efficiency_element, ORR_XML_SOME}},
    .start = start_flops,
};

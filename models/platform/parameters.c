/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists the parameters of a platform, kind by kind, and builds their paths
 * (parameters.h). parameters_match.c finds parameters by a path,
 * parameters_value.c reads and changes their values.
 */
#include "models/platform/parameters.h"

#include <string.h>

#include "models/base/names.h"

#define TOO_LARGE 9223372036854775808.0 /* 2^63 */

static const struct {
    const char *section;
    const char *parameter; /* last word of the path; NULL: none */
    const char *shown;
    enum orr_parameter_unit unit;
} kinds[ORR_PARAMETERS] = {
    [ORR_PARAMETER_CORES] = {"cores", NULL, "cores", ORR_UNIT_COUNT},
    [ORR_PARAMETER_MEMORY] = {"memory", "size", "memory.GPU.size",
                              ORR_UNIT_BYTES},
    [ORR_PARAMETER_BANDWIDTH] = {"link", "bandwidth", "link.LINK.bandwidth",
                                 ORR_UNIT_RATE},
    [ORR_PARAMETER_LATENCY] = {"link", "latency", "link.LINK.latency",
                               ORR_UNIT_TIME},
    [ORR_PARAMETER_BELIEF_BANDWIDTH] = {"belief", "bandwidth",
                                        "belief.FROM-TO.bandwidth",
                                        ORR_UNIT_RATE},
    [ORR_PARAMETER_BELIEF_LATENCY] = {"belief", "latency",
                                      "belief.FROM-TO.latency",
                                      ORR_UNIT_SECONDS},
    [ORR_PARAMETER_PITCH_BANDWIDTH] = {"pitch", "bandwidth",
                                       "pitch.FROM-TO.KIND.bandwidth",
                                       ORR_UNIT_RATE},
    [ORR_PARAMETER_PITCH_LATENCY] = {"pitch", "latency",
                                     "pitch.FROM-TO.KIND.latency",
                                     ORR_UNIT_TIME},
    [ORR_PARAMETER_OVERHEAD] = {"overhead", NULL, "overhead.NAME",
                                ORR_UNIT_TIME},
    [ORR_PARAMETER_SCALE] = {"kernel", "scale", "kernel.KERNEL.DEVICE.scale",
                             ORR_UNIT_NUMBER},
    [ORR_PARAMETER_PEAK] = {"kernel", "peak", "kernel.KERNEL.DEVICE.peak",
                            ORR_UNIT_FLOPS},
    [ORR_PARAMETER_MEAN] = {"kernel", "mean", "kernel.KERNEL.DEVICE.TILE.mean",
                            ORR_UNIT_TIME},
    [ORR_PARAMETER_DEVIATION] = {"kernel", "deviation",
                                 "kernel.KERNEL.DEVICE.TILE.deviation",
                                 ORR_UNIT_TIME},
};

/* Whether @path begins with @section and ends with @parameter, unless NULL. */
static bool is_in(const char *path, const char *section, const char *parameter)
{
    size_t length = strlen(section);
    const char *end = strrchr(path, '.');

    if (strncmp(path, section, length) != 0)
        return false;
    if (path[length] == '\0')
        return strcmp(section, "cores") == 0;
    if (path[length] != '.' || strcmp(section, "cores") == 0)
        return false;
    return !parameter ||
           (end > path + length && strcmp(end + 1, parameter) == 0);
}

bool orr_parameter_kind_of(const char *path, enum orr_parameter_kind *kind,
                           GError **error)
{
    const char *paths[ORR_PARAMETERS + 3] = {NULL};

    for (int i = 0; i < ORR_PARAMETERS; i++) {
        *kind = (enum orr_parameter_kind)i;
        if (is_in(path, kinds[i].section, kinds[i].parameter))
            return true;
        paths[i] = kinds[i].shown;
    }
    paths[ORR_PARAMETERS] = "pcie";
    paths[ORR_PARAMETERS + 1] = "nvlink";
    orr_names_fail("figure", paths, path, error);
    return false;
}

enum orr_parameter_unit orr_parameter_unit(enum orr_parameter_kind kind)
{
    return kinds[kind].unit;
}

static bool parse_time(enum orr_parameter_unit unit, const char *text,
                       double *number, GError **error)
{
    orr_time time;

    if (!orr_parse_time(text, &time, error))
        return false;
    *number = unit == ORR_UNIT_TIME ? (double)time : orr_time_to_seconds(time);
    return true;
}

static bool parse_whole(enum orr_parameter_unit unit, const char *text,
                        double *number, GError **error)
{
    uint64_t value;

    if (unit == ORR_UNIT_COUNT
            ? !orr_parse_count(text, 1, ORR_MAX_CORES, &value, error)
            : !orr_parse_bytes(text, &value, error))
        return false;
    *number = (double)value;
    return true;
}

static bool parse_quantity(enum orr_parameter_unit unit, const char *text,
                           double *number, GError **error)
{
    switch (unit) {
    case ORR_UNIT_RATE:
        return orr_parse_rate(text, number, error);
    case ORR_UNIT_TIME:
    case ORR_UNIT_SECONDS:
        return parse_time(unit, text, number, error);
    case ORR_UNIT_NUMBER:
        return orr_parse_number(text, TOO_LARGE, number, error);
    case ORR_UNIT_FLOPS:
        return orr_parse_flops(text, number, error);
    case ORR_UNIT_COUNT:
    case ORR_UNIT_BYTES:
        break;
    }
    return parse_whole(unit, text, number, error);
}

bool orr_parameter_parse(enum orr_parameter_kind kind, const char *text,
                         struct orr_parameter_value *value, GError **error)
{
    enum orr_parameter_unit unit = kinds[kind].unit;
    g_autofree char *quoted = NULL;

    value->is_factor = g_str_has_suffix(text, "x");
    if (value->is_factor ? !orr_parse_factor(text, &value->number, error)
                         : !parse_quantity(unit, text, &value->number, error))
        return false;
    if (unit == ORR_UNIT_NUMBER)
        value->is_factor = true;
    if (value->number > 0 ||
        ((unit == ORR_UNIT_TIME || unit == ORR_UNIT_SECONDS) &&
         kind != ORR_PARAMETER_MEAN))
        return true;
    quoted = orr_quote(text);
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE, "%s is not above 0", quoted);
    return false;
}

static void add(GArray *parameters, enum orr_parameter_kind kind,
                unsigned index)
{
    struct orr_parameter parameter = {.kind = kind, .index = index};

    g_array_append_val(parameters, parameter);
}

static void list_kernel(GArray *parameters, enum orr_parameter_kind kind,
                        unsigned index,
                        const struct orr_platform_kernel *kernel)
{
    bool seen[ORR_MAX_NODES] = {false};

    for (unsigned i = 0; i < kernel->flops_count; i++) {
        struct orr_parameter parameter = {
            .kind = kind, .index = index, .device = kernel->flops[i].device};

        if (kind == ORR_PARAMETER_SCALE || kind == ORR_PARAMETER_PEAK)
            g_array_append_val(parameters, parameter);
    }
    for (unsigned i = 0; kind != ORR_PARAMETER_PEAK && i < kernel->count; i++) {
        const struct orr_platform_duration *duration = &kernel->durations[i];
        struct orr_parameter parameter = {
            .kind = kind,
            .index = index,
            .device = duration->device,
            .tile = kind == ORR_PARAMETER_SCALE ? 0 : duration->tile,
        };

        if (kind != ORR_PARAMETER_SCALE || !seen[duration->device])
            g_array_append_val(parameters, parameter);
        seen[duration->device] = true;
    }
}

static unsigned count(const struct orr_platform *platform,
                      enum orr_parameter_kind kind)
{
    switch (kind) {
    case ORR_PARAMETER_CORES:
        return 1;
    case ORR_PARAMETER_MEMORY:
        return platform->gpu_count;
    case ORR_PARAMETER_BANDWIDTH:
    case ORR_PARAMETER_LATENCY:
        return platform->link_count;
    case ORR_PARAMETER_BELIEF_BANDWIDTH:
    case ORR_PARAMETER_BELIEF_LATENCY:
        return platform->node_count * platform->node_count;
    case ORR_PARAMETER_PITCH_BANDWIDTH:
    case ORR_PARAMETER_PITCH_LATENCY:
        return platform->segment_count;
    case ORR_PARAMETER_OVERHEAD:
        return ORR_OVERHEADS;
    default:
        return platform->kernel_count;
    }
}

GArray *orr_parameters_list(const struct orr_platform *platform,
                            enum orr_parameter_kind kind)
{
    GArray *parameters =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    bool beliefs = kind == ORR_PARAMETER_BELIEF_BANDWIDTH ||
                   kind == ORR_PARAMETER_BELIEF_LATENCY;

    for (unsigned i = 0; i < count(platform, kind); i++) {
        if (kind >= ORR_PARAMETER_SCALE)
            list_kernel(parameters, kind, i, &platform->kernels[i]);
        else if (!beliefs || platform->beliefs[i].bytes_per_s > 0)
            add(parameters, kind, kind == ORR_PARAMETER_MEMORY ? i + 1 : i);
    }
    return parameters;
}

/* "gemm", or "cholesky.gemm.single" for @whole. */
static char *kernel_path(const struct orr_platform *platform,
                         const struct orr_parameter *parameter, bool whole)
{
    const struct orr_platform_kernel *kernel =
        &platform->kernels[parameter->index];
    const char *device = orr_platform_device_name(platform, parameter->device);
    g_autofree char *name =
        whole ? g_strdup_printf("%s.%s.%s", kernel->family, kernel->name,
                                orr_precision_name(kernel->precision))
              : g_strdup(kernel->name);

    if (parameter->tile == 0)
        return g_strdup_printf("kernel.%s.%s.%s", name, device,
                               kinds[parameter->kind].parameter);
    return g_strdup_printf("kernel.%s.%s.%u.%s", name, device, parameter->tile,
                           kinds[parameter->kind].parameter);
}

static const char *name_of(const struct orr_platform *platform,
                           const struct orr_parameter *parameter)
{
    switch (parameter->kind) {
    case ORR_PARAMETER_MEMORY:
        return orr_platform_node_name(platform, parameter->index);
    case ORR_PARAMETER_OVERHEAD:
        return orr_platform_overhead_name(parameter->index);
    default:
        return platform->links[parameter->index].name;
    }
}

/* "RAM-CUDA0" */
static char *ends(const struct orr_platform *platform, unsigned from,
                  unsigned to)
{
    return g_strdup_printf("%s-%s", orr_platform_node_name(platform, from),
                           orr_platform_node_name(platform, to));
}

/* The middle of the path, between its section and its last word. */
static char *middle_of(const struct orr_platform *platform,
                       const struct orr_parameter *parameter)
{
    const struct orr_pitch_segment *segment;
    unsigned nodes = platform->node_count;
    g_autofree char *pair = NULL;

    switch (parameter->kind) {
    case ORR_PARAMETER_BELIEF_BANDWIDTH:
    case ORR_PARAMETER_BELIEF_LATENCY:
        return ends(platform, parameter->index / nodes,
                    parameter->index % nodes);
    case ORR_PARAMETER_PITCH_BANDWIDTH:
    case ORR_PARAMETER_PITCH_LATENCY:
        segment = &platform->segments[parameter->index];
        pair = ends(platform, segment->from, segment->to);
        return g_strdup_printf("%s.%s", pair,
                               segment->pitched ? "pitched" : "contiguous");
    default:
        return g_strdup(name_of(platform, parameter));
    }
}

char *orr_parameter_path(const struct orr_platform *platform,
                         const struct orr_parameter *parameter,
                         unsigned variant)
{
    g_autofree char *middle = NULL;

    if (parameter->kind >= ORR_PARAMETER_SCALE)
        return variant < 2 ? kernel_path(platform, parameter, variant == 0)
                           : NULL;
    if (variant > 0)
        return NULL;
    if (parameter->kind == ORR_PARAMETER_CORES)
        return g_strdup(kinds[parameter->kind].section);
    middle = middle_of(platform, parameter);
    return g_strjoin(".", kinds[parameter->kind].section, middle,
                     kinds[parameter->kind].parameter, NULL);
}

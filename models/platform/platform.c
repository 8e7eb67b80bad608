/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The platform: memory, names, look-ups, and the origin of its figures.
 * Kernels are few and looked up by name. Readers sort the durations of a
 * kernel by tile and device once (orr_platform_kernel_sort()); look-ups then
 * bisect them.
 */
#include "models/platform/platform.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "models/platform/regression.h"

/* A message lists at most so many kernels or sizes; files may hold more. */
enum { SHOWN = 40 };

#define MAX_LABEL 100 /* bytes; the limit of platform files */

const char *orr_precision_name(enum orr_precision precision)
{
    return precision == ORR_SINGLE ? "single" : "double";
}

#define OVERHEAD(name) offsetof(struct orr_platform_overheads, name)

static const struct {
    const char *name;
    size_t offset;
} overhead_list[ORR_OVERHEADS] = {
    {"submit", OVERHEAD(submit)},
    {"push", OVERHEAD(push)},
    {"fetch", OVERHEAD(fetch)},
    {"progress", OVERHEAD(progress)},
    {"kernel-queue", OVERHEAD(kernel_queue)},
    {"transfer-queue", OVERHEAD(transfer_queue)},
    {"stream-start", OVERHEAD(stream_start)},
    {"gpu-alloc", OVERHEAD(gpu_alloc)},
    {"gpu-free", OVERHEAD(gpu_free)},
    {"host-pin", OVERHEAD(host_pin)},
};

orr_time *orr_platform_overhead(struct orr_platform_overheads *overheads,
                                unsigned i)
{
    g_assert(i < ORR_OVERHEADS);
    return (orr_time *)(void *)((char *)overheads + overhead_list[i].offset);
}

const char *orr_platform_overhead_name(unsigned i)
{
    g_assert(i < ORR_OVERHEADS);
    return overhead_list[i].name;
}

const char *orr_link_kind_name(enum orr_link_kind kind)
{
    static const char *const names[ORR_LINK_KINDS] = {
        [ORR_LINK_PCIE] = "pcie",
        [ORR_LINK_DIRECT] = "direct",
        [ORR_LINK_MEMORY] = "memory",
    };

    return names[kind];
}

struct orr_platform *orr_platform_new(void)
{
    struct orr_platform *platform = g_new0(struct orr_platform, 1);

    platform->node_count = 1;
    platform->histograms =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_histogram_free);
    platform->notes = g_ptr_array_new_with_free_func(g_free);
    platform->regressions =
        g_ptr_array_new_with_free_func((GDestroyNotify)orr_regression_free);
    platform->overheads = (struct orr_platform_overheads){
        .submit = 1 * ORR_US,
        .push = 1 * ORR_US,
        .fetch = 1 * ORR_US,
        .progress = 1 * ORR_US,
        .kernel_queue = 10 * ORR_US,
        .transfer_queue = 10 * ORR_US,
        .stream_start = 1 * ORR_US,
        .gpu_alloc = 175 * ORR_US,
        .gpu_free = 750 * ORR_US,
        .host_pin = 650 * ORR_US,
    };
    return platform;
}

void orr_platform_free(struct orr_platform *platform)
{
    if (!platform)
        return;
    for (unsigned i = 0; i < platform->gpu_count; i++) {
        g_free(platform->gpus[i].name);
        g_free(platform->gpus[i].model);
    }
    for (unsigned i = 0; i < platform->link_count; i++)
        g_free(platform->links[i].name);
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        g_free(platform->kernels[i].family);
        g_free(platform->kernels[i].name);
        g_free(platform->kernels[i].source);
        g_free(platform->kernels[i].durations);
        for (unsigned f = 0; f < platform->kernels[i].flops_count; f++)
            g_free(platform->kernels[i].flops[f].points);
        g_free(platform->kernels[i].flops);
    }
    if (platform->routes) {
        for (unsigned i = 0; i < platform->node_count * platform->node_count;
             i++)
            g_free(platform->routes[i].links);
    }
    for (unsigned i = 0; platform->power && i < platform->node_count; i++)
        orr_power_table_clear(&platform->power[i]);
    g_free(platform->power);
    g_free(platform->gpus);
    g_free(platform->links);
    g_free(platform->routes);
    g_free(platform->beliefs);
    g_free(platform->segments);
    g_free(platform->kernels);
    for (unsigned i = 0; i < ORR_SECTIONS; i++)
        g_free(platform->sources[i]);
    g_ptr_array_unref(platform->histograms);
    g_ptr_array_unref(platform->notes);
    g_ptr_array_unref(platform->regressions);
    g_free(platform->name);
    g_free(platform->description);
    g_free(platform->path);
    g_free(platform->models);
    g_free(platform->cpu_model);
    g_free(platform);
}

const char *orr_platform_node_name(const struct orr_platform *platform,
                                   unsigned node)
{
    g_assert(node < platform->node_count);
    return node == ORR_RAM ? "RAM" : platform->gpus[node - 1].name;
}

const char *orr_platform_device_name(const struct orr_platform *platform,
                                     unsigned device)
{
    g_assert(device < platform->node_count);
    return device == 0 ? "CPU" : platform->gpus[device - 1].name;
}

char *orr_platform_link_name(const struct orr_platform *platform,
                             const char *format, ...)
{
    va_list arguments;
    g_autofree char *wanted = NULL;
    char *name;

    va_start(arguments, format);
    wanted = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    name = g_strdup(wanted);
    for (unsigned i = 0, tries = 1; i < platform->link_count; i++) {
        if (strcmp(platform->links[i].name, name) != 0)
            continue;
        g_free(name);
        name = g_strdup_printf("%s #%u", wanted, ++tries);
        i = G_MAXUINT; /* compare with all links again */
    }
    if (strlen(name) <= MAX_LABEL)
        return name;
    g_free(name);
    return orr_platform_link_name(platform, "link %u", platform->link_count);
}

const struct orr_platform_route *
orr_platform_route(const struct orr_platform *platform, unsigned from,
                   unsigned to)
{
    g_assert(from < platform->node_count && to < platform->node_count);
    return &platform->routes[from * platform->node_count + to];
}

const struct orr_platform_belief *
orr_platform_belief(const struct orr_platform *platform, unsigned from,
                    unsigned to)
{
    g_assert(from < platform->node_count && to < platform->node_count);
    return &platform->beliefs[from * platform->node_count + to];
}

/* "gemm of cholesky (single), ..."; owned. */
static char *list_kernels(const struct orr_platform *platform)
{
    GString *list = g_string_new(NULL);

    for (unsigned i = 0; i < MIN(platform->kernel_count, SHOWN); i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        g_string_append_printf(list, "%s%s of %s (%s)", i > 0 ? ", " : "",
                               kernel->name, kernel->family,
                               orr_precision_name(kernel->precision));
    }
    if (platform->kernel_count > SHOWN)
        g_string_append(list, ", ...");
    if (platform->kernel_count == 0)
        g_string_append(list, "none");
    return g_string_free(list, FALSE);
}

void orr_platform_set_cores(struct orr_platform *platform, unsigned cores)
{
    if (platform->power && platform->cores > 0 && cores > 0)
        orr_power_table_set_cores(&platform->power[ORR_RAM], platform->cores,
                                  cores);
    platform->cores = cores;
}

unsigned orr_platform_socket(const struct orr_platform *platform, unsigned gpus,
                             unsigned core)
{
    g_assert(core + gpus < platform->cores);
    for (unsigned s = 0; s < platform->sockets; s++) {
        unsigned left = platform->cores / platform->sockets;

        for (unsigned g = 0; g < gpus; g++)
            left -= platform->gpus[g].socket == s;
        if (core < left)
            return s;
        core -= left;
    }
    return 0;
}

const struct orr_platform_kernel *
orr_platform_kernel(const struct orr_platform *platform, const char *family,
                    const char *name, enum orr_precision precision,
                    GError **error)
{
    g_autofree char *list = NULL;
    g_autofree char *quoted = NULL;
    g_autofree char *quoted_family = NULL;

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (kernel->precision == precision &&
            strcmp(kernel->family, family) == 0 &&
            strcmp(kernel->name, name) == 0)
            return kernel;
    }
    list = list_kernels(platform);
    quoted = orr_quote(name);
    quoted_family = orr_quote(family);
    g_set_error(error, ORR_ERROR, ORR_ERROR_UNKNOWN,
                "platform %s has no kernel %s of %s in %s precision; it has: "
                "%s",
                platform->name, quoted, quoted_family,
                orr_precision_name(precision), list);
    return NULL;
}

struct orr_platform_kernel *
orr_platform_get_kernel(struct orr_platform *platform, const char *family,
                        const char *name, enum orr_precision precision)
{
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (kernel->precision == precision &&
            strcmp(kernel->family, family) == 0 &&
            strcmp(kernel->name, name) == 0)
            return kernel;
    }
    if (platform->kernel_count >= ORR_MAX_KERNELS)
        return NULL;
    platform->kernels = g_renew(struct orr_platform_kernel, platform->kernels,
                                platform->kernel_count + 1);
    platform->kernels[platform->kernel_count] = (struct orr_platform_kernel){
        .family = g_strdup(family),
        .name = g_strdup(name),
        .precision = precision,
    };
    return &platform->kernels[platform->kernel_count++];
}

static int compare_durations(const void *a, const void *b)
{
    const struct orr_platform_duration *left = a;
    const struct orr_platform_duration *right = b;

    if (left->tile != right->tile)
        return left->tile < right->tile ? -1 : 1;
    return (left->device > right->device) - (left->device < right->device);
}

static int compare_devices(const void *a, const void *b)
{
    const struct orr_flops *left = a;
    const struct orr_flops *right = b;

    return (left->device > right->device) - (left->device < right->device);
}

void orr_platform_kernel_sort(struct orr_platform_kernel *kernel)
{
    if (kernel->count > 0)
        qsort(kernel->durations, kernel->count, sizeof(*kernel->durations),
              compare_durations);
    if (kernel->flops_count > 0)
        qsort(kernel->flops, kernel->flops_count, sizeof(*kernel->flops),
              compare_devices);
}

const struct orr_flops *
orr_platform_flops(const struct orr_platform_kernel *kernel, unsigned device)
{
    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device == device)
            return &kernel->flops[i];
    }
    return NULL;
}

const struct orr_platform_duration *
orr_platform_find_duration(const struct orr_platform_kernel *kernel,
                           unsigned tile, unsigned device)
{
    const struct orr_platform_duration key = {.tile = tile, .device = device};

    if (kernel->count == 0)
        return NULL;
    return bsearch(&key, kernel->durations, kernel->count, sizeof(key),
                   compare_durations);
}

orr_time orr_platform_duration(const struct orr_platform_kernel *kernel,
                               unsigned tile, unsigned device)
{
    const struct orr_flops *flops = orr_platform_flops(kernel, device);
    const struct orr_platform_duration *found;

    if (flops)
        return orr_flops_duration(flops, tile);
    found = orr_platform_find_duration(kernel, tile, device);
    return found ? found->mean : ORR_NEVER;
}

char *orr_platform_tiles(const struct orr_platform_kernel *kernel)
{
    GString *tiles = g_string_new(NULL);
    unsigned shown = 0;

    for (unsigned i = 0; i < kernel->count; i++) {
        unsigned tile = kernel->durations[i].tile;

        if (i > 0 && kernel->durations[i - 1].tile == tile)
            continue;
        if (shown++ < SHOWN)
            g_string_append_printf(tiles, "%s%u", tiles->len > 0 ? ", " : "",
                                   tile);
    }
    if (shown > SHOWN)
        g_string_append(tiles, ", ...");
    if (kernel->flops_count > 0)
        g_string_append_printf(tiles, "%sany (modelled)",
                               tiles->len > 0 ? ", " : "");
    return g_string_free(tiles, FALSE);
}

/* ---- origin of figures: measured, modelled or missing ---- */

/* Parts of a platform, in the order of the bits of enum orr_platform_part. */
static const struct {
    const char *name;
    const char *missing;
} parts[ORR_PLATFORM_PARTS] = {
    {"memory", "memory (of some GPU: a placeholder)"},
    {"links", "links (bandwidths and latencies are nominal)"},
    {"kernels", "kernels (there are no durations)"},
};

const char *orr_platform_part_name(unsigned i)
{
    g_assert(i < ORR_PLATFORM_PARTS);
    return parts[i].name;
}

/* The parts that are marked as missing, and kernels if there are none. */
static unsigned missing_parts(const struct orr_platform *platform)
{
    return platform->uncalibrated |
           (platform->kernel_count == 0 ? ORR_PLATFORM_KERNELS : 0);
}

const char *orr_platform_state(const struct orr_platform *platform)
{
    if (missing_parts(platform))
        return "uncalibrated";
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        if (platform->kernels[i].flops_count > 0)
            return "modelled";
    }
    return "calibrated";
}

char *orr_platform_parameters(const struct orr_platform *platform)
{
    GString *text = g_string_new(orr_platform_state(platform));
    const char *separator = ": ";

    for (unsigned i = 0; i < ORR_PLATFORM_PARTS; i++) {
        if (!(missing_parts(platform) & (1u << i)))
            continue;
        g_string_append_printf(text, "%s%s", separator, parts[i].name);
        separator = ", ";
    }
    return g_string_free(text, FALSE);
}

bool orr_platform_check_calibrated(const struct orr_platform *platform,
                                   GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);

    for (unsigned i = 0; i < ORR_PLATFORM_PARTS; i++) {
        if (platform->uncalibrated & (1u << i))
            g_string_append_printf(missing, "%s%s",
                                   missing->len > 0 ? ", " : "",
                                   parts[i].missing);
    }
    if (missing->len == 0)
        return true;
    g_set_error(error, ORR_ERROR, ORR_ERROR_VALUE,
                "%s: platform %s is not calibrated: %s; measure these, write "
                "them into the file and take their names out of "
                "uncalibrated=\"...\" there (docs/PLATFORMS.md, \"Calibrating "
                "a detected machine\")",
                platform->path ? platform->path : "(no file)", platform->name,
                missing->str);
    return false;
}

const char *orr_platform_section_name(enum orr_platform_section section)
{
    static const char *const names[ORR_SECTIONS] = {
        [ORR_SECTION_PROCESSORS] = "processors",
        [ORR_SECTION_LINKS] = "links",
        [ORR_SECTION_ROUTES] = "routes",
        [ORR_SECTION_PITCH] = "pitch",
        [ORR_SECTION_CALIBRATION] = "calibration",
        [ORR_SECTION_OVERHEADS] = "overheads",
        [ORR_SECTION_POWER] = "power",
    };

    g_assert(section < ORR_SECTIONS);
    return names[section];
}

/* The beginning of @text that fits, in whole characters. */
static char *cut(const char *text)
{
    const char *end;

    if (strlen(text) <= ORR_MAX_SOURCE)
        return g_strdup(text);
    end = g_utf8_find_prev_char(text, text + ORR_MAX_SOURCE);
    return g_strndup(text, (size_t)(end - text));
}

void orr_source_add(char **source, const char *text)
{
    g_autofree char *old = *source;

    if (old && strstr(old, text)) {
        *source = g_steal_pointer(&old);
        return;
    }
    *source = old ? g_strdup_printf("%s; %s", old, text) : g_strdup(text);
    if (strlen(*source) <= ORR_MAX_SOURCE)
        return;
    g_free(*source);
    *source = cut(text);
}

bool orr_platform_is_off(const struct orr_platform *platform, unsigned device)
{
    return platform->power && platform->power[device].off;
}

static void forget_kernel(struct orr_platform_kernel *kernel, unsigned device)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].device != device)
            kernel->durations[kept++] = kernel->durations[i];
    }
    kernel->count = kept;
    kept = 0;
    for (unsigned i = 0; i < kernel->flops_count; i++) {
        if (kernel->flops[i].device != device)
            kernel->flops[kept++] = kernel->flops[i];
    }
    kernel->flops_count = kept;
}

void orr_platform_switch_off(struct orr_platform *platform, unsigned device)
{
    g_assert(platform->power && device != ORR_RAM);
    platform->power[device].off = true;
    for (unsigned k = 0; k < platform->kernel_count; k++)
        forget_kernel(&platform->kernels[k], device);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/report/coverage.h"

#include <string.h>

static bool is_of(const struct orr_platform_kernel *kernel,
                  const struct orr_coverage *coverage)
{
    return kernel->precision == coverage->precision &&
           strcmp(kernel->family, coverage->family) == 0;
}

/* Whether @app always needs the kernel @name, or the platform has it. */
static bool is_wanted(const struct orr_coverage *coverage,
                      const struct orr_app *app, const char *name)
{
    return !app->extras || !g_strv_contains(app->extras, name) ||
           orr_platform_kernel(coverage->platform, coverage->family, name,
                               coverage->precision, NULL);
}

static void find_names(struct orr_coverage *coverage)
{
    const struct orr_platform *platform = coverage->platform;
    const struct orr_app *app = orr_app_find(coverage->family, NULL);

    for (unsigned i = 0; app && app->kernels[i]; i++) {
        if (is_wanted(coverage, app, app->kernels[i]))
            g_ptr_array_add(coverage->names, (void *)app->kernels[i]);
    }
    for (unsigned i = 0; !app && i < platform->kernel_count; i++) {
        if (is_of(&platform->kernels[i], coverage))
            g_ptr_array_add(coverage->names, platform->kernels[i].name);
    }
}

static int compare_tiles(const void *a, const void *b)
{
    unsigned left = *(const unsigned *)a;
    unsigned right = *(const unsigned *)b;

    return (left > right) - (left < right);
}

static void add_tile(GArray *tiles, unsigned tile)
{
    for (unsigned i = 0; i < tiles->len; i++) {
        if (g_array_index(tiles, unsigned, i) == tile)
            return;
    }
    if (tiles->len < ORR_COVERAGE_TILES)
        g_array_append_val(tiles, tile);
}

static void find_tiles(struct orr_coverage *coverage)
{
    const struct orr_platform *platform = coverage->platform;
    const unsigned other = ORR_OTHER_TILES;
    bool modelled = false;

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (!is_of(kernel, coverage))
            continue;
        modelled |= kernel->flops_count > 0;
        for (unsigned j = 0; j < kernel->count; j++)
            add_tile(coverage->tiles, kernel->durations[j].tile);
    }
    g_array_sort(coverage->tiles, compare_tiles);
    if (modelled)
        g_array_append_val(coverage->tiles, other);
}

/* The devices that have a duration of @kernel at @tile. */
static uint32_t find_devices(const struct orr_platform *platform,
                             const struct orr_platform_kernel *kernel,
                             unsigned tile)
{
    uint32_t devices = 0;

    for (unsigned d = 0; d < platform->node_count; d++) {
        bool has = tile == ORR_OTHER_TILES
                       ? orr_platform_flops(kernel, d) != NULL
                       : orr_platform_duration(kernel, tile, d) != ORR_NEVER;

        devices |= (uint32_t)has << d;
    }
    return devices;
}

void orr_coverage_init(struct orr_coverage *coverage,
                       const struct orr_platform *platform, const char *family,
                       enum orr_precision precision, unsigned tile)
{
    *coverage = (struct orr_coverage){
        .platform = platform,
        .family = family,
        .precision = precision,
        .names = g_ptr_array_new(),
        .tiles = g_array_new(FALSE, FALSE, sizeof(unsigned)),
    };
    find_names(coverage);
    if (tile > 0)
        g_array_append_val(coverage->tiles, tile);
    else
        find_tiles(coverage);
    coverage->devices =
        g_new0(uint32_t, (size_t)coverage->names->len * coverage->tiles->len);
    for (unsigned k = 0; k < coverage->names->len; k++) {
        const struct orr_platform_kernel *kernel = orr_platform_kernel(
            platform, family, coverage->names->pdata[k], precision, NULL);

        for (unsigned t = 0; kernel && t < coverage->tiles->len; t++)
            coverage->devices[k * coverage->tiles->len + t] = find_devices(
                platform, kernel, g_array_index(coverage->tiles, unsigned, t));
    }
}

void orr_coverage_clear(struct orr_coverage *coverage)
{
    g_ptr_array_unref(coverage->names);
    g_array_unref(coverage->tiles);
    g_free(coverage->devices);
}

bool orr_coverage_runs(const struct orr_coverage *coverage, unsigned t,
                       uint32_t devices)
{
    for (unsigned k = 0; k < coverage->names->len; k++) {
        if ((coverage->devices[k * coverage->tiles->len + t] & devices) == 0)
            return false;
    }
    return coverage->names->len > 0;
}

uint32_t orr_coverage_idle(const struct orr_coverage *coverage, unsigned t,
                           uint32_t devices)
{
    uint32_t used = 0;

    for (unsigned k = 0; k < coverage->names->len; k++)
        used |= coverage->devices[k * coverage->tiles->len + t];
    for (unsigned d = 0; d < coverage->platform->node_count; d++) {
        if (orr_platform_is_off(coverage->platform, d))
            used |= 1u << d;
    }
    return orr_coverage_runs(coverage, t, devices) ? devices & ~used : 0;
}

uint32_t orr_coverage_class(const struct orr_coverage *coverage,
                            unsigned device)
{
    uint32_t equal =
        (uint32_t)(((uint64_t)1 << coverage->platform->node_count) - 1);
    size_t count = (size_t)coverage->names->len * coverage->tiles->len;

    for (size_t i = 0; i < count; i++) {
        uint32_t devices = coverage->devices[i];

        equal &= devices >> device & 1 ? devices : ~devices;
    }
    return equal;
}

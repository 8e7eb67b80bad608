/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/measured_tile.h"

#include <string.h>

static bool is_measured(const struct orr_platform_kernel *kernel, unsigned tile)
{
    for (unsigned i = 0; i < kernel->count; i++) {
        if (kernel->durations[i].tile == tile)
            return true;
    }
    return false;
}

static bool is_of(const struct orr_platform_kernel *kernel, const char *family,
                  enum orr_precision precision)
{
    return strcmp(kernel->family, family) == 0 &&
           kernel->precision == precision;
}

/* The number of kernels that are measured at @tile, or modelled. */
static unsigned count_kernels(const struct orr_platform *platform,
                              const char *family, enum orr_precision precision,
                              unsigned tile)
{
    unsigned count = 0;

    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        count += is_of(kernel, family, precision) &&
                 (kernel->flops_count > 0 || is_measured(kernel, tile));
    }
    return count;
}

static unsigned distance(unsigned a, unsigned b)
{
    return a > b ? a - b : b - a;
}

/* The best tile size so far, and the number of kernels measured at it. */
struct best {
    unsigned tile;
    unsigned count;
};

static void consider(struct best *best, unsigned tile, unsigned count,
                     unsigned preset)
{
    if (count > best->count ||
        (count == best->count &&
         distance(tile, preset) < distance(best->tile, preset)))
        *best = (struct best){tile, count};
}

unsigned orr_measured_tile(const struct orr_platform *platform,
                           const char *family, enum orr_precision precision,
                           unsigned preset)
{
    struct best best = {.tile = preset};

    if (count_kernels(platform, family, precision, preset) > 0)
        return preset;
    for (unsigned i = 0; i < platform->kernel_count; i++) {
        const struct orr_platform_kernel *kernel = &platform->kernels[i];

        if (!is_of(kernel, family, precision))
            continue;
        for (unsigned d = 0; d < kernel->count; d++) {
            unsigned tile = kernel->durations[d].tile;

            consider(&best, tile,
                     count_kernels(platform, family, precision, tile), preset);
        }
    }
    return best.tile;
}

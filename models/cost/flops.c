/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/flops.h"

#include <math.h>
#include <string.h>

#define LONGEST (86400 * ORR_S)

struct kernel {
    const char *name;
    double operations; /* x tile^3 */
};

static const struct kernel kernels[] = {
    {"potrf", 1.0 / 3}, {"getrf", 2.0 / 3}, {"trsm", 1},  {"trsm_ll", 1},
    {"trsm_ru", 1},     {"syrk", 1},        {"gemm", 2},  {"geqrt", 4.0 / 3},
    {"gemm_2d", 8},     {"ormqr", 2},       {"tpqrt", 2}, {"tpmqrt", 4},
    {"ttqrt", 2.0 / 3}, {"ttmqr", 2},
};

double orr_flops_operations(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(kernels); i++) {
        if (strcmp(kernels[i].name, name) == 0)
            return kernels[i].operations;
    }
    return 0;
}

char *orr_flops_known(void)
{
    GString *names = g_string_new(NULL);

    for (size_t i = 0; i < G_N_ELEMENTS(kernels); i++)
        g_string_append_printf(names, "%s%s", i > 0 ? ", " : "",
                               kernels[i].name);
    return g_string_free(names, FALSE);
}

double orr_flops_efficiency(const struct orr_flops *flops, unsigned tile)
{
    const struct orr_flops_point *points = flops->points;
    unsigned next = 0;
    double way;

    g_assert(tile > 0 && flops->point_count > 0);
    while (next < flops->point_count && points[next].tile < tile)
        next++;
    if (next == flops->point_count)
        return points[next - 1].efficiency;
    if (next == 0)
        return points[0].efficiency * tile / points[0].tile;
    way = (double)(tile - points[next - 1].tile) /
          (points[next].tile - points[next - 1].tile);
    return points[next - 1].efficiency +
           way * (points[next].efficiency - points[next - 1].efficiency);
}

/* Of a tile. */
#define MAX_TILE 1000000.0

double orr_flops_speed(const struct orr_flops *flops, double operations)
{
    double tile = round(cbrt(operations / flops->operations));

    return flops->peak *
           orr_flops_efficiency(flops, (unsigned)fmin(fmax(tile, 1), MAX_TILE));
}

orr_time orr_flops_duration(const struct orr_flops *flops, unsigned tile)
{
    double n = tile;
    double rate = flops->peak * orr_flops_efficiency(flops, tile);
    orr_time time = orr_time_from_seconds(flops->operations * n * n * n / rate);

    return time > LONGEST ? ORR_NEVER : MAX(time, 1);
}

bool orr_flops_equal(const struct orr_flops *a, const struct orr_flops *b)
{
    if (a->operations != b->operations || a->peak != b->peak ||
        a->point_count != b->point_count)
        return false;
    for (unsigned i = 0; i < a->point_count; i++) {
        if (a->points[i].tile != b->points[i].tile ||
            a->points[i].efficiency != b->points[i].efficiency)
            return false;
    }
    return true;
}

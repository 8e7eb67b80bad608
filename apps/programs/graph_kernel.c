/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/programs/graph_kernel.h"

#include <math.h>
#include <string.h>

#include "models/starpu/starpu_symbols.h"

#define MAX_TILE 1000000u

/* The rows of a square tile of @bytes; 0: it is none. */
static unsigned tile_of(uint64_t bytes, enum orr_kernel_precision precision)
{
    uint64_t element =
        precision == ORR_DOUBLE_PRECISION ? sizeof(double) : sizeof(float);
    unsigned tile =
        (unsigned)MIN(sqrt((double)bytes / (double)element) + 0.5, MAX_TILE);

    return (uint64_t)tile * tile * element == bytes ? tile : 0;
}

/* The tile of a kernel with @operands (starpu_shape.h), of which those that are
 * tiles ('S') must be equal; 0: the sizes are those of another kernel. */
static unsigned find_tile(const char *operands, const uint64_t *bytes,
                          unsigned count, enum orr_kernel_precision precision)
{
    unsigned tile = 0;

    if (strlen(operands) != count)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned one = operands[i] == 'S' ? tile_of(bytes[i], precision) : tile;

        if (operands[i] == 'S' && (one == 0 || (tile > 0 && one != tile)))
            return 0;
        tile = one;
    }
    return tile;
}

static struct orr_kernel *find_symbol(struct orr_run *run,
                                      const struct orr_starpu_symbol *known,
                                      const char *symbol, const uint64_t *bytes,
                                      unsigned count,
                                      enum orr_kernel_precision precision)
{
    g_autofree char *name = orr_starpu_symbol_name(
        known, precision == ORR_DOUBLE_PRECISION ? ORR_DOUBLE : ORR_SINGLE);
    unsigned tile;

    if (!name || strcmp(name, symbol) != 0)
        return NULL;
    tile = find_tile(known->operands, bytes, count, precision);
    return tile > 0 ? orr_kernel_find(run, known->family, known->name,
                                      precision, tile, NULL)
                    : NULL;
}

/* "family/name", "family/name/double": all data are tiles. */
static struct orr_kernel *find_plain(struct orr_run *run, const char *symbol,
                                     const uint64_t *bytes, unsigned count)
{
    g_auto(GStrv) parts = g_strsplit(symbol, "/", -1);
    unsigned parted = g_strv_length(parts);
    enum orr_kernel_precision precision =
        parted == 3 ? ORR_DOUBLE_PRECISION : ORR_SINGLE_PRECISION;
    unsigned tile = count > 0 ? tile_of(bytes[count - 1], precision) : 0;

    if (parted < 2 || parted > 3 || tile == 0 ||
        (parted == 3 && strcmp(parts[2], "double") != 0))
        return NULL;
    return orr_kernel_find(run, parts[0], parts[1], precision, tile, NULL);
}

struct orr_kernel *orr_graph_kernel_find(struct orr_run *run,
                                         const char *symbol,
                                         const uint64_t *bytes, unsigned count)
{
    struct orr_kernel *kernel = NULL;

    if (strchr(symbol, '/'))
        return find_plain(run, symbol, bytes, count);
    for (unsigned i = 0; !kernel && i < 2 * orr_starpu_symbol_count; i++)
        kernel =
            find_symbol(run, &orr_starpu_symbols[i / 2], symbol, bytes, count,
                        i % 2 ? ORR_DOUBLE_PRECISION : ORR_SINGLE_PRECISION);
    return kernel;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/starpu/starpu_shape.h"

#include <glib.h>
#include <stdbool.h>

#define MAX_TILE 1000000u /* the limit of platform files */
#define SLAB 4u           /* columns of a slab, in tiles */
#define WORKSPACE 3u      /* elements of a workspace, in ib x nb */

static uint32_t crc(uint32_t value, uint32_t start)
{
    for (int i = 0; i < 4; i++) {
        start ^= (value >> (8 * i) & 0xff) << 24;
        for (int bit = 0; bit < 8; bit++)
            start = start & 0x80000000u ? start << 1 ^ 0x1edc6f41u : start << 1;
    }
    return start;
}

static uint32_t hash_matrix(uint32_t rows, uint32_t columns)
{
    const uint32_t matrix = 0; /* StarPU's number of the matrix interface */

    return crc(crc(rows, columns), matrix);
}

static uint32_t hash_operand(char operand, unsigned element_bytes,
                             struct orr_starpu_shape shape)
{
    unsigned nb = shape.tile;

    switch (operand) {
    case 'L':
        return hash_matrix(nb, SLAB * nb);
    case 'R':
        return hash_matrix(SLAB * nb, nb);
    case 'T':
        return hash_matrix(shape.inner, nb);
    case 'W':
        return hash_matrix(WORKSPACE * shape.inner * nb * element_bytes, 1);
    default:
        return hash_matrix(nb, nb);
    }
}

uint32_t orr_starpu_footprint(const char *operands, unsigned element_bytes,
                              struct orr_starpu_shape shape)
{
    uint32_t task = 0;

    for (; *operands; operands++)
        task = crc(hash_operand(*operands, element_bytes, shape), task);
    return task;
}

/* The elements of operands: squares x nb x nb + strips x ib x nb. */
struct amount {
    unsigned squares;
    unsigned strips;
};

static struct amount count(const char *operands)
{
    struct amount amount = {0, 0};

    for (; *operands; operands++) {
        if (*operands == 'T')
            amount.strips++;
        else if (*operands == 'W')
            amount.strips += WORKSPACE;
        else
            amount.squares += *operands == 'S' ? 1 : SLAB;
    }
    return amount;
}

/* The largest whole number whose square times @squares is at most @elements,
 * and at most @max. */
static unsigned root(uint64_t elements, unsigned squares, unsigned max)
{
    unsigned low = 0;

    while (low < max) {
        unsigned middle = (low + max + 1) / 2;

        if ((uint64_t)middle * middle * squares > elements)
            max = middle - 1;
        else
            low = middle;
    }
    return low;
}

/* The next tile size below @shape->tile that fits, with its inner size. */
static bool step(struct orr_starpu_shape *shape, struct amount amount,
                 uint64_t elements, unsigned least)
{
    while (--shape->tile >= MAX(least, 1)) {
        uint64_t nb = shape->tile;
        uint64_t rest = elements - amount.squares * nb * nb;
        uint64_t inner = rest / (amount.strips * nb);

        shape->inner = (unsigned)inner;
        if (inner > 0 && inner <= nb && rest % (amount.strips * nb) == 0)
            return true;
    }
    return false;
}

static struct orr_starpu_shape find_inner(const char *operands,
                                          unsigned element_bytes,
                                          uint64_t elements, uint32_t hash)
{
    const struct orr_starpu_shape none = {0, 0};
    struct amount amount = count(operands);
    const unsigned max = ORR_STARPU_MAX_INNER_TILE;
    unsigned least = root(elements, amount.squares + amount.strips, max);
    struct orr_starpu_shape shape = {
        .tile = root(elements, amount.squares, max) + 1,
    };

    while (step(&shape, amount, elements, least)) {
        if (orr_starpu_footprint(operands, element_bytes, shape) == hash)
            return shape;
    }
    return none;
}

struct orr_starpu_shape orr_starpu_shape_find(const char *operands,
                                              unsigned element_bytes,
                                              uint64_t bytes, uint32_t hash)
{
    const struct orr_starpu_shape none = {0, 0};
    struct amount amount = count(operands);
    uint64_t elements = bytes / element_bytes;
    struct orr_starpu_shape shape = {0, 0};

    if (bytes % element_bytes != 0)
        return none;
    if (amount.strips > 0)
        return find_inner(operands, element_bytes, elements, hash);
    shape.tile = root(elements, amount.squares, MAX_TILE);
    if ((uint64_t)shape.tile * shape.tile * amount.squares != elements ||
        orr_starpu_footprint(operands, element_bytes, shape) != hash)
        return none;
    return shape;
}

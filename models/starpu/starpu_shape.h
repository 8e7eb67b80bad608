/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SHAPE_H
#define ORR_STARPU_SHAPE_H

#include <stdint.h>

/*
 * Finds the tile size of an entry of a performance model. StarPU identifies an
 * entry by the bytes of a task's operands and a hash of their shapes.
 *
 * Operands are described by a letter each, in their order. Tiles are nb x nb.
 *
 *   S  a tile
 *   L  nb x 4 nb, R  4 nb x nb: the slabs of StarPU's example mult
 *   T  ib x nb: the triangular factors of a QR kernel, in blocks of ib columns
 *   W  the workspace of Chameleon's QR kernels: 3 ib nb elements, registered as
 *      a matrix of one column of bytes
 */

/* An entry's tile size nb, and ib, which is 0 without operands T and W. */
struct orr_starpu_shape {
    unsigned tile; /* 0: the entry has other operands */
    unsigned inner;
};

/* Tiles with an inner block size are not searched for above this size, so that
 * the search is short whatever a file contains. */
#define ORR_STARPU_MAX_INNER_TILE 16384u

/*
 * The shape of an entry of @bytes and @hash with these @operands, of elements
 * of @element_bytes.
 */
struct orr_starpu_shape orr_starpu_shape_find(const char *operands,
                                              unsigned element_bytes,
                                              uint64_t bytes, uint32_t hash);

/* StarPU's hash of these operands (src/datawizard/footprint.c). */
uint32_t orr_starpu_footprint(const char *operands, unsigned element_bytes,
                              struct orr_starpu_shape shape);

#endif

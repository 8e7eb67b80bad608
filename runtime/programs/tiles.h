/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TILES_H
#define ORR_TILES_H

#include "runtime/orrery.h"

/* How the tiles of a matrix are stored in host memory. */
enum orr_layout {
    ORR_LAYOUT_TILES,  /* each tile is contiguous */
    ORR_LAYOUT_MATRIX, /* a tile is a block of one column-major matrix */
};

/* The shape of a tile in host memory; see orr_data_register_matrix(). */
struct orr_tile_shape {
    uint64_t column_bytes;
    uint64_t columns;
    uint64_t pitch_bytes;
};

/*
 * A square grid of tiles, each a data handle of a run. They are registered row
 * by row. The order matters: the runtime orders the accesses of a task by the
 * registration of their data.
 */
struct orr_tiles {
    unsigned side; /* tiles in each row and column */
    struct orr_data **data;
};

/*
 * Registers @side x @side tiles of the same @shape; with @lower, only those on
 * and below the diagonal. Clear with orr_tiles_clear(); the run owns the data.
 */
void orr_tiles_init(struct orr_tiles *tiles, struct orr_run *run, unsigned side,
                    struct orr_tile_shape shape, bool lower);
void orr_tiles_clear(struct orr_tiles *tiles);

/* Returns tile (@i, @j), from 0; NULL if it is not registered. Borrowed. */
static inline struct orr_data *orr_tiles_at(const struct orr_tiles *tiles,
                                            unsigned i, unsigned j)
{
    return tiles->data[(size_t)i * tiles->side + j];
}

#endif

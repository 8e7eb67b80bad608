/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TILES_H
#define ORR_TILES_H

#include "runtime/orrery.h"

/* Where the tiles of a matrix lie in host memory. */
enum orr_layout {
    ORR_LAYOUT_TILES,  /* each by itself, contiguous */
    ORR_LAYOUT_MATRIX, /* as parts of the columns of one big matrix */
};

/* What a tile takes in host memory; see orr_data_register_matrix(). */
struct orr_tile_shape {
    uint64_t column_bytes;
    uint64_t columns;
    uint64_t pitch_bytes;
};

/*
 * A square grid of tiles, each one datum of a run. They are registered row by
 * row: the runtime breaks ties between the accesses of a task by the order of
 * registration, hence here by tile index, the first index first.
 */
struct orr_tiles {
    unsigned side; /* tiles in each row and column */
    struct orr_data **data;
};

/*
 * Registers @side x @side tiles of one @shape; with @lower, only those on and
 * below the diagonal. Clear with orr_tiles_clear(); the data stay the run's.
 */
void orr_tiles_init(struct orr_tiles *tiles, struct orr_run *run, unsigned side,
                    struct orr_tile_shape shape, bool lower);
void orr_tiles_clear(struct orr_tiles *tiles);

/* Tile (@i, @j), counted from 0; NULL if it was not registered. */
static inline struct orr_data *orr_tiles_at(const struct orr_tiles *tiles,
                                            unsigned i, unsigned j)
{
    return tiles->data[(size_t)i * tiles->side + j];
}

#endif

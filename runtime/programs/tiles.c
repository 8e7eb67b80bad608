/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/programs/tiles.h"

void orr_tiles_init(struct orr_tiles *tiles, struct orr_run *run, unsigned side,
                    struct orr_tile_shape shape, bool lower)
{
    tiles->side = side;
    tiles->data = g_new0(struct orr_data *, (gsize)side * side);
    for (unsigned i = 0; i < side; i++) {
        unsigned end = lower ? i + 1 : side;

        for (unsigned j = 0; j < end; j++) {
            struct orr_data *data = orr_data_register_matrix(
                run, shape.column_bytes, shape.columns, shape.pitch_bytes);

            orr_data_set_coordinates(data, i, j);
            orr_data_set_name(data, "A");
            tiles->data[(size_t)i * side + j] = data;
        }
    }
}

void orr_tiles_clear(struct orr_tiles *tiles)
{
    g_free(tiles->data);
    tiles->data = NULL;
}

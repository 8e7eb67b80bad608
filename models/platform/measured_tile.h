/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEASURED_TILE_H
#define ORR_MEASURED_TILE_H

#include "models/platform/platform.h"

/*
 * Returns the tile size at which most kernels of @family are measured in this
 * precision; among several such sizes, the nearest to @preset. Returns @preset
 * if some kernel is measured at it, or modelled at any size, or if there is no
 * kernel.
 */
unsigned orr_measured_tile(const struct orr_platform *platform,
                           const char *family, enum orr_precision precision,
                           unsigned preset);

#endif

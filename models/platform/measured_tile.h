/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MEASURED_TILE_H
#define ORR_MEASURED_TILE_H

#include "models/platform/platform.h"

/*
 * Returns the size of tiles for which the platform has most of the kernels of
 * @family in that precision, and among several the one nearest to @preset;
 * @preset itself if some kernel is measured there, or modelled at any size, or
 * if there is no kernel.
 */
unsigned orr_measured_tile(const struct orr_platform *platform,
                           const char *family, enum orr_precision precision,
                           unsigned preset);

#endif

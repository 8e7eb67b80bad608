/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_DRAWING_H
#define ORR_PLATFORM_DRAWING_H

#include "models/platform/platform.h"

/*
 * A drawing of the links of a machine: as text, or as an SVG or PNG file made
 * by dot of Graphviz (graphviz.h).
 */

/*
 * Prints the tree of links (topology.h) and the bandwidth of a single copy
 * between each two memory nodes.
 */
void orr_platform_drawing_print(const struct orr_platform *platform);

/*
 * Returns whether a drawing can be written to @path. Fails with ORR_ERROR_VALUE
 * unless the name ends in .svg or .png, and with ORR_ERROR_UNKNOWN if there is
 * no program dot.
 */
bool orr_platform_drawing_check(const char *path, GError **error);

/*
 * Draws the sockets, the GPUs, the links that GPUs share on the way to RAM and
 * the direct links between GPUs, and writes the drawing to @path. The file is
 * replaced as a whole or, on failure, left unchanged. Fails as
 * orr_platform_drawing_check() does, or with ORR_ERROR_IO.
 */
bool orr_platform_drawing_save(const struct orr_platform *platform,
                               const char *path, GError **error);

/* Returns the drawing as a script of dot. Free with g_free(). */
char *orr_platform_drawing_script(const struct orr_platform *platform);

#endif

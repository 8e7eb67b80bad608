/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DRAWING_H
#define ORR_DRAWING_H

#include "models/platform/platform.h"

/*
 * The links of a machine, drawn: as text, or by Graphviz, whose dot runs as a
 * child process, into an SVG or PNG file.
 */

/* The tree of topology.h, and what a lone copy gets between any two. */
void orr_drawing_print(const struct orr_platform *platform);

/*
 * Whether a drawing can be written to @path: its name ends in .svg or .png
 * (else ORR_ERROR_VALUE), and there is a dot (else ORR_ERROR_UNKNOWN).
 */
bool orr_drawing_check(const char *path, GError **error);

/*
 * Draws sockets, GPUs, what GPUs share on their way from RAM and direct links
 * between them, and writes it to @path, which is replaced as a whole or, when
 * that fails, stays as it was. Fails as orr_drawing_check(), or with
 * ORR_ERROR_IO.
 */
bool orr_drawing_save(const struct orr_platform *platform, const char *path,
                      GError **error);

/* What dot is given. To be freed with g_free(). */
char *orr_drawing_script(const struct orr_platform *platform);

#endif

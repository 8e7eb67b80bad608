/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPHVIZ_H
#define ORR_GRAPHVIZ_H

#include <glib.h>
#include <stdbool.h>

/* Pictures of graphs, drawn by dot of Graphviz in a child process. */

/*
 * Returns whether a picture can be written to @path. Fails with
 * ORR_ERROR_VALUE unless the name ends in .svg or .png (or in .dot, if
 * @scripts allows to write the script itself), with ORR_ERROR_UNKNOWN if there
 * is no program dot, and as orr_file_check(). Check before a simulation whose
 * results will be drawn.
 */
bool orr_graphviz_check(const char *path, bool scripts, GError **error);

/*
 * Draws @script, in the language of dot, and writes the picture to @path. The
 * file is replaced as a whole or, on failure, left unchanged. Fails as
 * orr_graphviz_check() and orr_picture_draw() do.
 */
bool orr_graphviz_save(const char *script, const char *path, GError **error);

/* Appends @text, escaped to stand inside double quotes, to @script. */
void orr_graphviz_append(GString *script, const char *text);

#endif

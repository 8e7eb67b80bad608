/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPHVIZ_H
#define ORR_GRAPHVIZ_H

#include <glib.h>
#include <stdbool.h>

/*
 * Pictures of graphs, by Graphviz, whose dot runs as a child process.
 */

/*
 * Whether a picture can be written to @path: its name ends in .svg or .png, or
 * in .dot if @scripts may be kept as they are (else ORR_ERROR_VALUE), and
 * there is a dot (else ORR_ERROR_UNKNOWN).
 */
bool orr_graphviz_check(const char *path, bool scripts, GError **error);

/*
 * Writes what @script draws to @path, which is replaced as a whole or, when
 * that fails, stays as it was. Fails as orr_graphviz_check(), or with
 * ORR_ERROR_IO.
 */
bool orr_graphviz_save(const char *script, const char *path, GError **error);

/* Appends @text as it is to be inside double quotes. */
void orr_graphviz_append(GString *script, const char *text);

#endif

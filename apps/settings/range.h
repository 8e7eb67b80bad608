/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RANGE_H
#define ORR_RANGE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Parses a list of numbers on the command line: "A,B,C", or "FROM:TO:STEP" for
 * FROM, FROM + STEP, ... up to TO. Numbers are decimal and at least 0; there
 * are at most ORR_RANGE_MAX.
 *
 * Returns an array of double; free with g_array_unref(). Returns NULL, with
 * ORR_ERROR_VALUE, if @text is anything else.
 */
#define ORR_RANGE_MAX 1000

GArray *orr_range_parse(const char *text, GError **error);

#endif

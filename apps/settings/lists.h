/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LISTS_H
#define ORR_LISTS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Lists of numbers on the command line. */

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

#define ORR_SIZES_MAX 10000u /* sizes in a list */

/*
 * Parses a list of whole numbers, "4800,9600,19200", or "FROM:TO:STEP" for
 * FROM, FROM + STEP, ... up to TO. Each must be in [@min, @max].
 *
 * Returns an array of uint64_t in the order given; free with g_array_unref().
 * Returns NULL, with ORR_ERROR_VALUE, if @text is anything else.
 */
GArray *orr_sizes_parse(const char *text, uint64_t min, uint64_t max,
                        GError **error);

/* Parses a list as orr_sizes_parse(), and returns its numbers as texts. Free
 * with g_strfreev(). */
char **orr_sizes_texts(const char *text, uint64_t min, uint64_t max,
                       GError **error);

/*
 * Splits a list of values of any kind, "4x2,8x4". Returns them as given; free
 * with g_strfreev(). Returns NULL, with ORR_ERROR_VALUE, if there are more than
 * ORR_SIZES_MAX.
 */
char **orr_items_parse(const char *text, GError **error);

#endif

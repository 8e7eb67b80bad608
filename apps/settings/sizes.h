/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIZES_H
#define ORR_SIZES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define ORR_SIZES_MAX 10000u /* sizes in a list */

/*
 * Parses the matrix sizes of --sizes or --tiles: a list, "4800,9600,19200", or
 * "FROM:TO:STEP" for FROM, FROM + STEP, ... up to TO. Each must be a multiple
 * of @tile, from 1 to @max; @tile > 0.
 *
 * Returns an array of uint64_t in the order given; free with g_array_unref().
 * Returns NULL, with ORR_ERROR_VALUE, if @text is anything else.
 */
GArray *orr_sizes_parse(const char *text, uint64_t tile, uint64_t max,
                        GError **error);

/*
 * Returns whether @size > 0 is a multiple of @tile > 0. If not, fails with
 * ORR_ERROR_VALUE, and the message names the nearest multiples.
 */
bool orr_size_check(uint64_t size, uint64_t tile, GError **error);

#endif

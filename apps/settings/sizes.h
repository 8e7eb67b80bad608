/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SIZES_H
#define ORR_SIZES_H

#include <glib.h>
#include <stdint.h>

/*
 * Sizes of matrices, as --sizes gives them: a list "4800,9600,19200", or
 * "FROM:TO:STEP" for FROM, FROM + STEP... as long as that is at most TO.
 */
#define ORR_SIZES_MAX 10000u /* of them */

/*
 * Returns the sizes, uint64_t, in the order given, or NULL with
 * ORR_ERROR_VALUE, quoting @text: each must be a multiple of @tile (> 0), from
 * 1 to @max.
 */
GArray *orr_sizes_parse(const char *text, uint64_t tile, uint64_t max,
                        GError **error);

#endif

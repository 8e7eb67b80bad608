/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_RANGE_H
#define ORR_RANGE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Several numbers on the command line: "A,B,C", or "FROM:TO:STEP", which is
 * FROM, FROM + STEP and so on, up to TO at most, to within rounding. Decimal,
 * at least 0, at most ORR_RANGE_MAX of them.
 *
 * Returns an array of doubles, to be freed with g_array_unref(); NULL, with
 * ORR_ERROR_VALUE, on anything else.
 */
#define ORR_RANGE_MAX 1000

GArray *orr_range_parse(const char *text, GError **error);

#endif

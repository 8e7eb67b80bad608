/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WHERE_FILTER_H
#define ORR_WHERE_FILTER_H

#include "apps/campaign/key.h"

/*
 * Selects points of a campaign by an expression over the varied keys,
 *
 *   EXPRESSION = TERM {"or" TERM}          TERM = FACTOR {"and" FACTOR}
 *   FACTOR     = "not" FACTOR | "(" EXPRESSION ")" | KEY OPERATOR VALUE
 *   OPERATOR   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="
 *
 * such as "gpus<=4 or pcie>=1x". A VALUE with blanks or signs stands in
 * quotation marks, '...' or "...". Values that are numbers with the same unit
 * are compared as numbers, sizes of memory ("512MiB") as bytes; others as text,
 * which is equal or not, but has no order.
 *
 * Each comparison is evaluated once for each value of its key, before any point
 * is tested: a test of a point compares no texts.
 */
struct orr_where_filter;

/*
 * Parses the expression @text over @keys (struct orr_key, borrowed). Returns
 * NULL with ORR_ERROR_VALUE, or with ORR_ERROR_UNKNOWN and the name of the
 * nearest key. Free with orr_where_filter_free(), which allows NULL.
 */
struct orr_where_filter *
orr_where_filter_new(const char *text, const GPtrArray *keys, GError **error);
void orr_where_filter_free(struct orr_where_filter *filter);

/* Whether the filter selects the point with value @values[k] of each key k. */
bool orr_where_filter_has(const struct orr_where_filter *filter,
                          const uint64_t *values);

#endif

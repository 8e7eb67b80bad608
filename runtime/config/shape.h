/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHAPE_H
#define ORR_SHAPE_H

#include "runtime/orrery_app.h"

/* Counts in each dimension: "40x10". A plain count is a shape of one. */
struct orr_shape {
    unsigned dimensions; /* number of counts; 0: not set */
    uint64_t counts[ORR_APP_DIMENSIONS];
};

/*
 * Parses one to ORR_APP_DIMENSIONS counts, each in [@min, @max], separated by
 * 'x'. On failure returns false with ORR_ERROR_VALUE and leaves @shape as it
 * is.
 */
bool orr_shape_parse(const char *text, uint64_t min, uint64_t max,
                     struct orr_shape *shape, GError **error);

/* Returns "40x10"; NULL if @shape is not set. Free with g_free(). */
char *orr_shape_format(const struct orr_shape *shape);

/* The geometric mean of the counts, rounded; 0 if @shape is not set. */
uint64_t orr_shape_mean(const struct orr_shape *shape);

uint64_t orr_shape_largest(const struct orr_shape *shape);

/* Multiplies the counts by @to / @from, rounded, but to no less than @least. */
void orr_shape_scale(struct orr_shape *shape, uint64_t from, uint64_t to,
                     uint64_t least);

#endif

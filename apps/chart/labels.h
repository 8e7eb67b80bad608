/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LABELS_H
#define ORR_LABELS_H

#include <stdbool.h>

/* What columns of tables of runs are called in a picture. */

/* Returns the name and the unit of @column: "speed (GFlop/s)" of "gflops". Free
 * with g_free(). */
char *orr_label_of(const char *column);

/* Returns what the value @text of @column is called: a name as it is, a number
 * with what it counts: "GPUs: 4". Free with g_free(). */
char *orr_label_of_value(const char *column, const char *text);

/* Returns @text without its middle if it is long, such as a path. Free with
 * g_free(). */
char *orr_label_shorten(const char *text);

/* Returns what the bound in @column is called: "area bound" of "bound_area_s".
 * Free with g_free(). */
char *orr_label_of_bound(const char *column);

/* Whether the largest value of @column is the best: of speeds. */
bool orr_label_is_speed(const char *column);

#endif

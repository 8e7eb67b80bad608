/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LABELS_H
#define ORR_LABELS_H

#include <stdbool.h>

/* Labels of columns of tables of runs, for pictures. */

/* Returns the name and the unit of @column: "speed (GFlop/s)" of "gflops". Free
 * with g_free(). */
char *orr_label_of(const char *column);

/* Returns the label of the value @text of @column: the text itself or, for a
 * number, with the name of the column: "GPUs: 4". Free with g_free(). */
char *orr_label_of_value(const char *column, const char *text);

/* Returns @text without its middle if it is long, such as a path. Free with
 * g_free(). */
char *orr_label_shorten(const char *text);

/* Returns the label of the bound in @column: "area bound" for "bound_area_s".
 * Free with g_free(). */
char *orr_label_of_bound(const char *column);

/* Whether @column is a speed, of which the largest value is the best. */
bool orr_label_is_speed(const char *column);

#endif

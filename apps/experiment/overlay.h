/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OVERLAY_H
#define ORR_OVERLAY_H

#include <glib.h>
#include <stdbool.h>

#include "apps/programs/programs.h"

/*
 * Speeds that were measured elsewhere, to be drawn over a comparison: a CSV
 * file, whose first line names its columns, with a point in each line.
 *
 *   size        the axis of the application: rows of the matrix
 *   gflops or makespan_s
 *   policy      its name in the comparison; without this column, or empty:
 *               none in particular
 *
 * Other columns are ignored.
 */
struct orr_overlay_point {
    char *policy; /* NULL: none in particular */
    double size;
    double gflops;
};

struct orr_overlay {
    char *name;     /* of the file, without its folders */
    GArray *points; /* struct orr_overlay_point, in the order of the file */
};

/*
 * Reads the file @path. @values, of an application, tell how many operations it
 * has at each size. Clear @overlay afterwards, also on failure.
 *
 * Returns false with ORR_ERROR_IO, or with ORR_ERROR_SYNTAX or ORR_ERROR_VALUE
 * and "path:line: ...".
 */
bool orr_overlay_read(struct orr_overlay *overlay, const char *path,
                      const struct orr_app_values *values, GError **error);

void orr_overlay_clear(struct orr_overlay *overlay);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OVERLAY_H
#define ORR_OVERLAY_H

#include <glib.h>
#include <stdbool.h>

#include "runtime/programs/programs.h"

/*
 * Measured speeds to draw over a comparison, from a CSV file. Its first line
 * has the names of the columns, each further line a point:
 *
 *   size        the axis of the application: rows of the matrix
 *   gflops or makespan_s
 *   policy name of the policy in the comparison; optional, may be empty
 *
 * Other columns are ignored.
 */
struct orr_overlay_point {
    char *policy; /* NULL: the point belongs to no policy */
    double size;
    double gflops;
};

struct orr_overlay {
    char *name;     /* of the file, without its folders */
    GArray *points; /* struct orr_overlay_point, in the order of the file */
};

/*
 * Reads the file @path. @values: options of the application, from which the
 * number of operations at each size follows. Clear @overlay afterwards, also on
 * failure.
 *
 * Returns false with ORR_ERROR_IO, or with ORR_ERROR_SYNTAX or ORR_ERROR_VALUE
 * and "path:line: ...".
 */
bool orr_overlay_read(struct orr_overlay *overlay, const char *path,
                      const struct orr_app_values *values, GError **error);

void orr_overlay_clear(struct orr_overlay *overlay);

#endif

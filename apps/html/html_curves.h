/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_CURVES_H
#define ORR_HTML_CURVES_H

#include <stdint.h>

#include "apps/html/html_columns.h"
#include "apps/html/html_record.h"

/*
 * A curve over time, stored as means over equal parts of the time axis, so that
 * its size does not depend on the length of the run.
 */
enum { ORR_HTML_PARTS = 4096 };

struct orr_html_curve {
    double part_ns;
    double own[ORR_HTML_PARTS]; /* share of intervals that begin or end in the
                                   part */
    double step[ORR_HTML_PARTS + 1]; /* changes where the parts that an interval
                                        covers fully begin and end */
};

/* Begins a curve that is 0 from 0 to @end ns, which is > 0. */
void orr_html_curve_init(struct orr_html_curve *curve, int64_t end);

/* Adds @height between two dates within the axis. */
void orr_html_curve_add(struct orr_html_curve *curve, int64_t from, int64_t to,
                        double height);

/* Sets @means to the means of all parts. */
void orr_html_curve_means(const struct orr_html_curve *curve,
                          float means[ORR_HTML_PARTS]);

/*
 * Adds to @run its end_ns and curves[] (html_tables.h):
 *
 *   ready      tasks that are ready and whose kernel has not begun
 *   bandwidth  bytes per second, between host and GPUs either way and between
 *              GPUs; a copy is taken to move its bytes evenly
 *   memory     bytes in the buffers of each GPU
 */
void orr_html_curves_add(struct orr_html_columns *columns, JsonObject *run,
                         const struct orr_html_record *record);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_H
#define ORR_PLOT_H

#include <glib.h>
#include <stdbool.h>

/*
 * Plots of curves and bars, drawn by gnuplot in a child process into an SVG or
 * PNG file. They suit papers: a white background, points of different shapes,
 * colours that colour-blind readers can tell apart.
 *
 * All text is UTF-8 and shown literally. Values that are not finite are not
 * drawn, nor are values up to 0 on a logarithmic axis.
 */
enum orr_curve_style {
    ORR_CURVE_LINE,   /* with a point at each value */
    ORR_CURVE_DASHED, /* for a bound: dashed, grey, without points */
    ORR_CURVE_POINTS, /* without a line */
    ORR_CURVE_BARS,   /* from the axis up to y */
};

struct orr_curve {
    const char *title; /* in the legend; NULL: none */
    enum orr_curve_style style;
    unsigned count;
    const double *x;
    const double *y;

    /* Error ranges in y: a band around a line, a vertical stroke at points
       and bars. Both or neither may be NULL. */
    const double *low;
    const double *high;

    /* The ends of each bar in x; both NULL: x - 0.4 and x + 0.4. */
    const double *from;
    const double *to;
};

struct orr_axis {
    const char *label; /* with its unit: "matrix size (rows)" */
    bool logarithmic;
    bool from_zero; /* the axis begins at 0; must not be logarithmic */
    double end;     /* where the axis ends; 0: at the last value */

    /* Labels at 0, 1, 2, ...; NULL-terminated. NULL: numbers. */
    const char *const *names;
};

struct orr_plot {
    const char *title; /* above; NULL: none */
    struct orr_axis x;
    struct orr_axis y;
    unsigned count;
    const struct orr_curve *curves; /* in the order of the legend */
};

/*
 * Returns whether a plot can be written to @path. Fails with ORR_ERROR_VALUE
 * unless the name ends in .svg or .png, and with ORR_ERROR_UNKNOWN if there is
 * no gnuplot. Check before a simulation whose results will be drawn.
 */
bool orr_plot_check(const char *path, GError **error);

/*
 * Draws @plot and writes it to @path. The file is replaced as a whole or, on
 * failure, left unchanged. Fails as orr_plot_check() and orr_picture_draw() do.
 */
bool orr_plot_save(const struct orr_plot *plot, const char *path,
                   GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_H
#define ORR_PLOT_H

#include <glib.h>
#include <stdbool.h>

/*
 * Curves and bars on a pair of axes, drawn by gnuplot, which runs as a child
 * process, into an SVG or PNG file as papers print them: on white, in colours
 * that the colour-blind can tell apart, points of different shapes.
 *
 * All text is UTF-8 and is shown as it is. Values that are no finite number
 * are left out, and so are those that are not above 0 on a logarithmic axis.
 */
enum orr_curve_style {
    ORR_CURVE_LINE,   /* with a point at each value */
    ORR_CURVE_DASHED, /* a limit: dashed, grey, without points */
    ORR_CURVE_POINTS, /* without a line */
    ORR_CURVE_BARS,   /* from the axis up to y */
};

struct orr_curve {
    const char *title; /* in the legend; NULL: none */
    enum orr_curve_style style;
    unsigned count;
    const double *x;
    const double *y;

    /* A band around a line, and a stroke through points or bars, from @low to
       @high in y; both or neither may be NULL. */
    const double *low;
    const double *high;

    /* The ends of each bar, in x; both NULL: 0.8 wide, around x. */
    const double *from;
    const double *to;
};

struct orr_axis {
    const char *label; /* with its unit: "matrix size (rows)" */
    bool logarithmic;
    bool from_zero; /* begins there, whatever is shown; not if logarithmic */
    double end;     /* where it ends; 0: where what is shown does */

    /* At x = 0, 1, 2, ... instead of figures; NULL-terminated, or NULL. */
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
 * Whether a plot can be written to @path: its name ends in .svg or .png (else
 * ORR_ERROR_VALUE), and there is a gnuplot (else ORR_ERROR_UNKNOWN). To be
 * asked before the work.
 */
bool orr_plot_check(const char *path, GError **error);

/*
 * Draws @plot and writes it to @path, which is replaced as a whole or, when
 * that fails, stays as it was. Fails as orr_plot_check(), or with
 * ORR_ERROR_IO.
 */
bool orr_plot_save(const struct orr_plot *plot, const char *path,
                   GError **error);

#endif

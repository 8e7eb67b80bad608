/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_CURVES_H
#define ORR_PLOT_CURVES_H

#include <glib.h>
#include <stdbool.h>

/* The content of a plot. All text is UTF-8 and shown literally; values that are
 * not finite are not drawn. */
enum orr_curve_style {
    ORR_CURVE_LINE,      /* with a point at each value */
    ORR_CURVE_DASHED,    /* for a bound: dashed, grey, without points */
    ORR_CURVE_PREDICTED, /* continues a line: dashed, in its colour, without
                            points */
    ORR_CURVE_POINTS,    /* black, without a line */
    ORR_CURVE_DOTS,      /* in its colour, without a line */
    ORR_CURVE_PALE,      /* in a pale version of its colour, without a line */
    ORR_CURVE_STEPS,     /* grey: from each point along x, then along y */
    ORR_CURVE_BARS,      /* upright, from the axis up to y */
    ORR_CURVE_ROWS,      /* lying, from the axis to x, with their values */
    ORR_CURVE_CELLS,     /* cells of a map; the colour shows the value */
    ORR_CURVE_CHOICES,   /* cells of a map in the colour of the curve, with its
                            shape */
};

struct orr_curve {
    const char *title; /* in the legend; NULL: none */
    enum orr_curve_style style;
    unsigned look;  /* index of colour, dashes and shape of the points */
    unsigned panel; /* index of the panel in which it is */
    unsigned count;
    const double *x;
    const double *y; /* for rows and cells, the index of the row */

    /* Ranges: a band around a line, in y; a stroke at the end of a row, in x.
       Both or neither may be NULL. */
    const double *low;
    const double *high;

    /* The ends of each bar in x, for ORR_CURVE_BARS only. */
    const double *from;
    const double *to;

    const double *value; /* value of each cell; NULL: none */
};

struct orr_axis {
    const char *label; /* label with its unit: "matrix size (rows)"; may be NULL
                          for y */
    const char *column; /* name of the column in the data: "size" */
    bool from_zero;     /* the axis begins at 0 */
    double end;         /* where the axis ends; 0: at the last value */

    /* Names of the places 0, 1, ... on an x axis of categories,
       NULL-terminated. NULL: the axis has numbers. */
    const char *const *names;
};

struct orr_plot {
    const char *name;  /* name of the files with the data: "speed" */
    const char *title; /* above; NULL: none */
    const char *note;  /* below the x axis, explains the ranges; NULL: none */
    struct orr_axis x;
    struct orr_axis y;

    /* Names of the rows 0, 1, ... from top to bottom, NULL-terminated. NULL:
       the y axis has numbers. */
    const char *const *rows;

    /* Titles of panels side by side, whose axes are the same, NULL-terminated.
       NULL: one panel without a title. */
    const char *const *panels;
    const char *scale; /* label of the values of cells: "speed (GFlop/s)" */
    unsigned count;
    const struct orr_curve *curves; /* in the order of the legend */
};

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GANTT_H
#define ORR_GANTT_H

#include "apps/picture/plot.h"

/*
 * Gantt charts, drawn by gnuplot: rows of bars over time, such as workers and
 * the kernels that they run. Charts of several runs are one above the other,
 * on one time axis.
 */
struct orr_gantt_bar {
    double from; /* s; >= 0 */
    double to;
    unsigned kind;
};

/* A row without a name is the heading of the rows below it. */
struct orr_gantt_row {
    const char *name; /* shown on the left; or NULL */
    const char
        *note; /* shown on the right, or the text of a heading; or NULL */
    const struct orr_gantt_bar *bars;
    unsigned count;
};

struct orr_gantt_kind {
    const char *name;   /* in the legend; UTF-8, shown literally */
    const char *colour; /* "#rrggbb" */
};

/* An upright dashed line: a bound. */
struct orr_gantt_line {
    const char *name; /* in the legend */
    double at;        /* s */
    unsigned dashes;  /* the number of a pattern */
};

struct orr_gantt {
    const char *title; /* or NULL */
    const char *notes; /* title of the notes on the right; or NULL */
    const char *axis;  /* label of the axis; NULL: seconds */
    double end;        /* of the time axis, s; > 0 */
    unsigned row_count;
    const struct orr_gantt_row *rows; /* from top to bottom */
    unsigned kind_count;
    const struct orr_gantt_kind *kinds;
    unsigned line_count;
    const struct orr_gantt_line *lines;
};

/* Bars that are narrower than this share of the time axis are merged. */
#define ORR_GANTT_RESOLUTION (1.0 / 2000)

/*
 * Merges neighbours in @bars of one row, sorted by date, if each is narrower
 * than @width s and the distance is at most @width; the new bar has the kind
 * with the longest time. A bar shorter than four times @width that directly
 * follows a bar of its kind is also merged with it. Returns how many bars are
 * left. @kinds is the number of kinds.
 */
unsigned orr_gantt_merge(struct orr_gantt_bar *bars, unsigned count,
                         unsigned kinds, double width);

/* Draws @gantt as @options say, without data. Check with orr_plot_check()
 * before; fails as orr_plot_save(). */
bool orr_gantt_save(const struct orr_gantt *gantt,
                    const struct orr_plot_options *options, GError **error);

#endif

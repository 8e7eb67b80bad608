/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHART_H
#define ORR_CHART_H

#include "apps/chart/chart_groups.h"
#include "apps/picture/plot.h"

/*
 * Pictures of tables of runs: curves of a result over a setting, maps of a
 * result over two settings, or two results of each run. In curves and maps,
 * runs that differ only in the replica are one point.
 */
struct orr_chart_request {
    const char *x, *y; /* names of columns */

    /* More names of columns; NULL: none. */
    const char *by;    /* draws a curve for each value */
    const char *facet; /* draws a panel for each value */
    const char *map;   /* draws a map, with a row for each value */
    const char
        *best; /* each cell of the map shows the best value of this column */

    bool front; /* each run is a point of two results, x and y; with their
                   Pareto front */

    const char *const *bounds; /* columns; NULL-terminated; NULL: none */
    const char *const *only; /* "COLUMN=VALUE": selects rows; a row needs one of
                                the values of each column named */
};

/* The data of a picture. */
struct orr_chart {
    const struct orr_chart_request *request; /* borrowed */
    struct orr_chart_groups groups;
    guint64 rows;       /* rows selected by the filter */
    guint64 unfinished; /* rows skipped: the run did not finish */
    guint64 empty;      /* rows skipped: y is empty */
    char *mixed; /* a setting in which runs of one group differ; owned; NULL:
                    none */
    gint64 points[2]; /* two points of the campaign in one group; -1: none */
};

/*
 * Reads the table @path (rows.h). Clear with orr_chart_clear(), also after an
 * error. Fails with the errors of rows.h and, naming the line, if a value is no
 * finite number; and with ORR_ERROR_VALUE if no run remains or there are more
 * groups than a picture can show.
 */
bool orr_chart_read(struct orr_chart *chart, const char *path,
                    const struct orr_chart_request *request, GError **error);
void orr_chart_clear(struct orr_chart *chart);

/* Draws @chart with orr_plot_save(). Fails also with ORR_ERROR_VALUE if there
 * are too many panels, curves or cells. */
bool orr_chart_draw(const struct orr_chart *chart,
                    const struct orr_plot_options *options, GError **error);

#endif

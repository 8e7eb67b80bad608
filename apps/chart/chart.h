/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHART_H
#define ORR_CHART_H

#include "apps/chart/chart_groups.h"
#include "apps/picture/plot.h"

/*
 * Pictures of tables of runs: curves of a result over a setting, maps of it
 * over two settings, or two results of each run. But in the last, runs that
 * differ in the replica only are one point.
 */
struct orr_chart_request {
    const char *x, *y; /* names of columns */

    /* Also names of columns, or NULL: */
    const char *by;    /* a curve for each value */
    const char *facet; /* a panel for each value */
    const char *map;   /* a map, with a row for each value */
    const char *best;  /* in each cell of the map, the best value of this */

    bool front; /* each run is a point of two results, x and y; with their
                   Pareto front */

    const char *const *bounds; /* columns; NULL-terminated; NULL: none */
    const char *const *only;   /* "COLUMN=VALUE": other rows are left out; of
                                  one column, any of the values */
};

/* What was read. */
struct orr_chart {
    const struct orr_chart_request *request; /* borrowed */
    struct orr_chart_groups groups;
    guint64 rows;       /* that are meant */
    guint64 unfinished; /* of those: not done, left out */
    guint64 empty;      /* of those: without a value of y, left out */
    char *mixed; /* the setting in which runs of one group differ; owned; NULL:
                    none */
    gint64 points[2]; /* two such points of the campaign; -1: none */
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

/* Draws it as orr_plot_save(). Fails also with ORR_ERROR_VALUE if there are too
 * many panels, curves or cells. */
bool orr_chart_draw(const struct orr_chart *chart,
                    const struct orr_plot_options *options, GError **error);

#endif

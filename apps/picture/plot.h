/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_H
#define ORR_PLOT_H

#include "apps/picture/plot_curves.h"

/*
 * Plots of curves and bars, drawn by gnuplot in a child process into an SVG,
 * PDF or PNG file. They suit papers: the width of a column or of a page, a
 * legend below, and curves that readers can distinguish in colour, in grey, and
 * if they are colour-blind: each curve has its own shape of points, and curves
 * with almost the same grey have different dashes.
 *
 * gnuplot never interprets text that comes from outside.
 */

/* Options of users. */
struct orr_plot_options {
    const char *path;  /* path of the picture; NULL: none */
    const char *data;  /* folder for data and script; NULL: none */
    const char *title; /* replaces the title of the plot; "none": no title;
                          NULL: the plot's own title */
    double width_cm;   /* 0: the width of a page */
};

/* Widths of pictures in papers on A4. */
#define ORR_PLOT_COLUMN_CM 8.5
#define ORR_PLOT_PAGE_CM 17.0
#define ORR_PLOT_MIN_CM 5.0
#define ORR_PLOT_MAX_CM 100.0

/*
 * Returns whether a plot can be written as @options say. Fails with
 * ORR_ERROR_VALUE unless the name of the picture ends in .svg, .pdf or .png,
 * with ORR_ERROR_UNKNOWN if a picture is wanted and there is no gnuplot, and as
 * orr_file_check() and orr_folder_check(). Check before a simulation whose
 * results will be drawn.
 */
bool orr_plot_check(const struct orr_plot_options *options, GError **error);

/*
 * Draws @script, which sets its terminal, with gnuplot into @path, which ends
 * in .svg, .pdf or .png. Fails as orr_picture_draw().
 */
bool orr_plot_draw(const char *script, const char *path, GError **error);

/*
 * Draws @plot into options->path. Into the folder options->data, which is made
 * if needed, writes the data as NAME.csv and a script for gnuplot as NAME.gp;
 * the script draws the same picture. NAME is the name of the plot. Each file is
 * replaced as a whole or, on failure, left unchanged. Does nothing if both are
 * NULL. Fails as orr_plot_check() and orr_picture_draw() do, or with
 * ORR_ERROR_IO.
 */
bool orr_plot_save(const struct orr_plot *plot,
                   const struct orr_plot_options *options, GError **error);

#endif

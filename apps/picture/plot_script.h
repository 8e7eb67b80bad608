/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_SCRIPT_H
#define ORR_PLOT_SCRIPT_H

#include "apps/picture/plot_curves.h"

/*
 * The input of gnuplot for a plot: a script, and the data as CSV. The script
 * reads the data from a file, or it contains them. Both ways give the same
 * picture.
 */

/*
 * Returns the data; free with g_free(). A line is a value of a curve: the index
 * of the curve, x and y under the names of their axes, low, high, from, to
 * (NaN: none) and name, the name of the row or of the curve.
 */
char *orr_plot_csv(const struct orr_plot *plot);

/*
 * Returns the script; free with g_free(). @suffix is the kind of the picture:
 * ".svg", ".pdf" or ".png". If @alone, it holds the data and writes to the
 * standard output. Otherwise it makes NAME@suffix from NAME.csv, both in the
 * current folder.
 */
char *orr_plot_script(const struct orr_plot *plot, const char *suffix,
                      double width_cm, bool alone);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_COMMANDS_H
#define ORR_PLOT_COMMANDS_H

#include "apps/picture/plot_curves.h"

/* The "plot" commands of a script, which draw curves. */
struct orr_plot_commands {
    const struct orr_plot *plot;
    GString *text;    /* the script */
    const char *data; /* gnuplot's name of the data */
    unsigned panel;   /* whose curves are drawn */
    bool untitled;    /* curves have no titles: the legend is elsewhere */
    bool cell_text;   /* cells are large enough for text */
    bool cell_border; /* cells are large enough for a border */
    double middle;    /* values of cells up to it have a dark colour */
    bool legend;      /* only the looks of curves and their titles */
};

/* Appends "plot" and the curves of a panel. */
void orr_plot_curves(struct orr_plot_commands *commands);

/* Appends a "plot" that draws no data, but has the titles of all curves in the
 * legend, each once. */
void orr_plot_legend(struct orr_plot_commands *commands);

#endif

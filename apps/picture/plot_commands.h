/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_COMMANDS_H
#define ORR_PLOT_COMMANDS_H

#include <glib.h>

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

/* The look of a curve, which distinguishes it from others. */
struct orr_look {
    const char *colour; /* "#rrggbb" */
    int dashes;         /* gnuplot's dashtype; 1: solid */
    int shape;          /* gnuplot's pointtype */
};

/* Curves whose points have different shapes. */
enum { ORR_LOOKS = 12 };

/* Returns the look of curve @index, which may be ORR_LOOKS or more. */
struct orr_look orr_look(unsigned index);

/* Texts and numbers in a script of gnuplot. */

/* Appends @what as a literal, in which gnuplot interprets nothing. */
void orr_plot_text(GString *text, const char *what);

/* Appends @what in lines of at most @characters: an expression of gnuplot. */
void orr_plot_lines(GString *text, const char *what, unsigned characters);

/* Appends @what as the label of a tick at @at: "('CPU0' 3)". */
void orr_plot_tick(GString *text, const char *what, double at);

void orr_plot_number(GString *text, double number);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_LAYOUT_H
#define ORR_PLOT_LAYOUT_H

#include "apps/picture/plot_curves.h"

/* The size of a picture, computed from its content: the legend is below the
 * plot, and the picture is as high as both need. */
struct orr_layout {
    double width_cm;
    double height_cm;
    double font_pt;
    unsigned
        characters; /* number of characters that fit in a line over the plot */
    double
        x_step; /* distance between labels of the x axis; 0: gnuplot chooses */
    unsigned legend_lines;
    unsigned legend_columns;
    double legend_width; /* gnuplot's "key width", in characters */
};

/* Makes the layout of a plot of one panel. */
void orr_layout_init(struct orr_layout *layout, const struct orr_plot *plot,
                     double width_cm);

/* Returns the height of a line and the mean width of a character, in cm. */
double orr_layout_line(const struct orr_layout *layout);
double orr_layout_character(const struct orr_layout *layout);

/* Returns the number of lines of @text if they have at most @characters. */
unsigned orr_layout_count(const char *text, unsigned characters);

/* Returns whether curve @index has a title that no curve before it has. */
bool orr_layout_is_new(const struct orr_plot *plot, unsigned index);

/* Returns a round step for the labels of an x axis over @range (> 0) that
 * leaves enough space for them; the axis has @characters. */
double orr_layout_step(double range, unsigned characters);

/*
 * Returns the end, in bytes, of the first line of @text if it is broken before
 * a blank after at most @characters; there may be none.
 */
gsize orr_layout_break(const char *text, unsigned characters);

/* Appends gnuplot's "set terminal" for a picture of the kind @suffix. */
void orr_layout_terminal(GString *script, const struct orr_layout *layout,
                         const char *suffix);

/* Returns the suffix of @path if a picture of this kind can be drawn, or NULL.
 */
const char *orr_layout_suffix(const char *path);

#endif

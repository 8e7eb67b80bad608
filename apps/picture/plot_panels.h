/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_PANELS_H
#define ORR_PLOT_PANELS_H

#include "apps/picture/plot_commands.h"
#include "apps/picture/plot_layout.h"

/*
 * Panels side by side with the same axes, one legend and one scale of colours:
 * plots over several settings, and maps. All margins are explicit, so that all
 * panels have the same size and there is room for labels.
 */
struct orr_panels {
    unsigned count, columns, rows;

    /* In cm. Panels begin at @left and end at @right; @gap is between two. */
    double left, right, gap;
    double area_width, area_height;
    double above;    /* each panel, with its title */
    double ticks;    /* below the lowest panels: labels of the x axis */
    double label;    /* below the ticks: label of the x axis */
    double colours;  /* below the label: scale of colours */
    double note;     /* below the scale: note */
    bool upright;    /* the labels of the x axis are upright */
    unsigned x_each; /* every x_each-th name on the axis is shown */
    unsigned y_each;
    double x_low, x_high, y_low, y_high; /* ends of the axes */
    double x_step, y_step;               /* between labels; 0: names */
    double low, high;                    /* values of cells; low < high */
    bool cell_border; /* cells are large enough for borders */
    bool cell_text;   /* cells are large enough for text */
};

/* Whether @plot needs panels: it has several, places with names, or cells. */
bool orr_plot_has_panels(const struct orr_plot *plot);

/* Returns the characters of a line across the picture. */
unsigned orr_panels_characters(const struct orr_layout *layout);

/* Sets layout->height_cm, too. */
void orr_panels_init(struct orr_panels *panels, struct orr_layout *layout,
                     const struct orr_plot *plot);

/* Appends the commands that draw all panels, after "set terminal" and the data.
 */
void orr_panels_append(struct orr_plot_commands *commands,
                       const struct orr_panels *panels,
                       const struct orr_layout *layout);

#endif

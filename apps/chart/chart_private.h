/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHART_PRIVATE_H
#define ORR_CHART_PRIVATE_H

#include "apps/chart/chart.h"

/* A picture under construction. */
struct orr_chart_drawing {
    const struct orr_chart *chart;
    GPtrArray *owned; /* texts and arrays that the plot borrows */
    GArray *curves;   /* struct orr_curve */
    struct orr_plot plot;
    guint least, most; /* runs in a group */
};

/* Returns an array of @count numbers, owned by @drawing. */
double *orr_chart_column(struct orr_chart_drawing *drawing, guint count);

/* Returns @text, which is taken, owned by @drawing. */
const char *orr_chart_text(struct orr_chart_drawing *drawing, char *text);

/* Returns names of all keys of @which in their order, or downwards,
 * NULL-terminated; owned by @drawing. If @column, with what they count. */
const char *const *orr_chart_names(struct orr_chart_drawing *drawing,
                                   enum orr_chart_key which, const char *column,
                                   bool downwards);

/* The number on the x axis. */
double orr_chart_x(const struct orr_chart_drawing *drawing,
                   const struct orr_chart_group *group);

/* The title of the curve that @group is on, owned by @drawing; NULL: none. */
const char *orr_chart_title(struct orr_chart_drawing *drawing,
                            const struct orr_chart_group *group);

/* Whether two groups are points of one curve. */
static inline bool orr_chart_are_one(const struct orr_chart_group *a,
                                     const struct orr_chart_group *b)
{
    return a->keys[ORR_BY_PANEL] == b->keys[ORR_BY_PANEL] &&
           a->keys[ORR_BY_CURVE] == b->keys[ORR_BY_CURVE];
}

/* Add the curves, or the maps, or the points with their fronts, to @drawing,
 * with what only they have. */
void orr_chart_add_lines(struct orr_chart_drawing *drawing);
void orr_chart_add_maps(struct orr_chart_drawing *drawing);
void orr_chart_add_fronts(struct orr_chart_drawing *drawing);

#endif

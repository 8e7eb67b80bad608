/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMPARISON_PLOT_H
#define ORR_COMPARISON_PLOT_H

#include "apps/experiment/comparison.h"
#include "apps/experiment/overlay.h"
#include "apps/picture/plot.h"

/*
 * Draws the speeds of @count comparisons of different sizes as @options say: a
 * curve over the matrix size for each policy, with a band from the 5 % to the
 * 95 % quantile, and dashed bounds. With one size, it draws a bar for each
 * policy. Points of @overlay, which may be NULL, are black. Fails as
 * orr_plot_save() does.
 */
bool orr_comparison_plot(const struct orr_comparison *comparisons,
                         unsigned count, const struct orr_overlay *overlay,
                         const struct orr_plot_options *options,
                         GError **error);

/* Returns the number of points of @overlay that orr_comparison_plot() would not
 * draw: they belong to another policy or, with one size, to another size. */
unsigned orr_comparison_left_out(const struct orr_comparison *comparisons,
                                 unsigned count,
                                 const struct orr_overlay *overlay);

/* Draws the Gantt chart of the first replicas if the settings ask for one.
 * Fails as orr_gantt_chart_save(). */
bool orr_comparison_gantt(const struct orr_comparison *comparison,
                          GError **error);

#endif

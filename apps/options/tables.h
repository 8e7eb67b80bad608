/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TABLES_H
#define ORR_TABLES_H

#include "apps/options/syntax.h"

/*
 * Tables of options that several commands have, each in a group of its own,
 * which says where the values are.
 */

/* --format; its member is an enum orr_format. */
extern const struct orr_option orr_format_option_table[1];

/* The options of a plot, for a group of each command that draws one. Their
 * members are those of struct orr_plot_options (plot.h). */
extern const struct orr_option orr_plot_option_table[4];

/* The options of a Gantt chart; members of struct orr_plot_options. */
extern const struct orr_option orr_gantt_option_table[2];

/* The options of a command whose result is a plot; members of struct
 * orr_plot_options. */
extern const struct orr_option orr_chart_option_table[4];

#endif

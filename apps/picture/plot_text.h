/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_TEXT_H
#define ORR_PLOT_TEXT_H

#include <glib.h>

/* Texts and numbers in a script of gnuplot. */

/* Appends @what as a literal of gnuplot, which interprets nothing in it. */
void orr_plot_text(GString *text, const char *what);

/* Appends @what in lines of at most @characters: an expression of gnuplot. */
void orr_plot_lines(GString *text, const char *what, unsigned characters);

/* Appends @what as the label of a tick at @at: "('CPU0' 3)". */
void orr_plot_tick(GString *text, const char *what, double at);

void orr_plot_number(GString *text, double number);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLOT_LOOK_H
#define ORR_PLOT_LOOK_H

/* How a curve looks, so that readers can tell it from others. */
struct orr_look {
    const char *colour; /* "#rrggbb" */
    int dashes;         /* gnuplot's dashtype; 1: solid */
    int shape;          /* gnuplot's pointtype */
};

/* Curves whose points have different shapes. */
enum { ORR_LOOKS = 12 };

/* Returns the look of curve @index, which may be ORR_LOOKS or more. */
struct orr_look orr_look(unsigned index);

#endif

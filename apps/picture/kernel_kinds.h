/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_KINDS_H
#define ORR_KERNEL_KINDS_H

#include <glib.h>

#include "apps/picture/gantt.h"

/*
 * The kinds of bars in a chart of kernels and copies, with their colours. The
 * kernels that take most of the time in all runs have a kind each; all others
 * share one.
 */
#define ORR_COPY_COLOUR "#a0a0a0"
#define ORR_EVICTION_COLOUR "#303030"

struct orr_kernel_kinds {
    GHashTable *kernels; /* by name; owned */
    GArray *kinds;       /* struct orr_gantt_kind */
};

void orr_kernel_kinds_init(struct orr_kernel_kinds *kinds);
void orr_kernel_kinds_clear(struct orr_kernel_kinds *kinds);

/* Adds @time_s to the total time of @kernel, whose name is borrowed. */
void orr_kernel_kinds_measure(struct orr_kernel_kinds *kinds,
                              const char *kernel, double time_s);

/* Creates the kinds of the measured kernels, sorted by name, so that charts of
 * one application are similar. */
void orr_kernel_kinds_choose(struct orr_kernel_kinds *kinds);

/* Adds a kind that is not a kernel, and returns its index. @name and @colour
 * are borrowed. */
unsigned orr_kernel_kinds_add(struct orr_kernel_kinds *kinds, const char *name,
                              const char *colour);

/* Returns the kind of @kernel, which has been measured. */
unsigned orr_kernel_kinds_of(const struct orr_kernel_kinds *kinds,
                             const char *kernel);

#endif

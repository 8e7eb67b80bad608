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

/* Notes that @kernel, whose name is borrowed, takes @time_s. */
void orr_kernel_kinds_measure(struct orr_kernel_kinds *kinds,
                              const char *kernel, double time_s);

/* Makes the kinds of the kernels noted, in the order of their names, so that
 * charts of one application look alike. */
void orr_kernel_kinds_choose(struct orr_kernel_kinds *kinds);

/* Adds a kind that is no kernel. Returns its index. Both are borrowed. */
unsigned orr_kernel_kinds_add(struct orr_kernel_kinds *kinds, const char *name,
                              const char *colour);

/* Returns the kind of @kernel, which has been noted. */
unsigned orr_kernel_kinds_of(const struct orr_kernel_kinds *kinds,
                             const char *kernel);

#endif

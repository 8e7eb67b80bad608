/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_LANES_H
#define ORR_TRACE_LANES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/orrery_trace.h"

/*
 * Assigns rows to bars, which come in the order of their ends, for viewers in
 * which bars of one row must not overlap.
 */
struct orr_trace_lane {
    char *name;    /* "CUDA0", "RAM-CUDA0", "RAM-CUDA0 (2)"; owned */
    int64_t ended; /* end of its last bar */
};

struct orr_trace_lanes {
    GArray *lanes;     /* struct orr_trace_lane */
    GPtrArray *groups; /* by number of the group: GArray of the indices of its
                          lanes, or NULL */
};

/* Rows of one worker, of the application, or of the copies from one memory to
 * another. */
struct orr_trace_group {
    unsigned number;
    bool has_one_row; /* it is a worker: all bars are in one row */
    const char *from; /* name of the worker, or of the first memory; borrowed */
    const char *to;   /* name of the second memory; NULL: not a link */
};

struct orr_trace_group orr_trace_worker(const struct orr_trace_task *task);
struct orr_trace_group orr_trace_link(const struct orr_trace_copy *copy);

/* The group of uses of data by the application; no worker has its number. */
struct orr_trace_group orr_trace_application(void);

/* Bars of a use of a datum by the application: its wait for the datum, then the
 * use itself. */
enum { ORR_TRACE_USE_BARS = 2 };

struct orr_trace_use_bar {
    const char *name;
    int64_t from, to; /* ns */
};

/* Bar number @i of @use. */
struct orr_trace_use_bar orr_trace_use_bar(const struct orr_trace_use *use,
                                           unsigned i);

/* Returns "CUDA0" or "RAM-CUDA0"; free with g_free(). */
char *orr_trace_group_name(const struct orr_trace_group *group);

void orr_trace_lanes_init(struct orr_trace_lanes *lanes);
void orr_trace_lanes_clear(struct orr_trace_lanes *lanes);

/*
 * Assigns a row of @group to a bar from *@from to @to. A worker has one row; if
 * the bar overlaps the one before, moves *@from to the end of that. Returns the
 * index of the row; *@is_new: this is its first bar.
 */
unsigned orr_trace_lanes_take(struct orr_trace_lanes *lanes,
                              const struct orr_trace_group *group,
                              int64_t *from, int64_t to, bool *is_new);

#endif

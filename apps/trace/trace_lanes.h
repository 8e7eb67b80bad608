/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_LANES_H
#define ORR_TRACE_LANES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/orrery_trace.h"

/*
 * Rows for bars that come in order of their ends, for viewers that show one bar
 * of a row at a time: bars of one row follow one another.
 */
struct orr_trace_lane {
    char *name;    /* "CUDA0", "RAM-CUDA0", "RAM-CUDA0 (2)"; owned */
    int64_t ended; /* its last bar */
};

struct orr_trace_lanes {
    GArray *lanes;     /* struct orr_trace_lane */
    GPtrArray *groups; /* of their lanes (GArray of indices, or NULL), by
                          number */
};

/* Rows of one worker, of the application, or of the copies from one memory to
 * another. */
struct orr_trace_group {
    unsigned number;
    bool has_one_row; /* a worker */
    const char *from; /* its name, or that of the first memory; borrowed */
    const char *to;   /* NULL: not a link */
};

struct orr_trace_group orr_trace_worker(const struct orr_trace_task *task);
struct orr_trace_group orr_trace_link(const struct orr_trace_copy *copy);

/* Data that the application uses; its number is that of no worker. */
struct orr_trace_group orr_trace_application(void);

/* What a row shows of a use by the application: its wait for the datum, then
 * what it does with it. */
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
 * Takes a row of @group for a bar from *@from to @to. A worker has one row, and
 * *@from moves to the end of the bar before it if it overlaps. Returns the
 * index of the row; *@is_new: it was not there before.
 */
unsigned orr_trace_lanes_take(struct orr_trace_lanes *lanes,
                              const struct orr_trace_group *group,
                              int64_t *from, int64_t to, bool *is_new);

#endif

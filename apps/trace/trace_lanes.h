/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_LANES_H
#define ORR_TRACE_LANES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Rows for bars that come in order of their ends, for viewers that show one bar
 * of a row at a time: bars of one row follow one another.
 */
struct orr_trace_lane {
    char *name;    /* "CUDA0", "RAM-CUDA0", "RAM-CUDA0 (2)"; owned */
    int64_t ended; /* its last bar */
};

struct orr_trace_lanes {
    GArray *lanes;      /* struct orr_trace_lane */
    GHashTable *groups; /* of their lanes (GArray of indices), by name */
};

/* Room for "RAM-CUDA0". */
enum { ORR_TRACE_LINK = 128 };

/* Writes the name of the direction @from-@to, or its beginning. */
void orr_trace_link_name(char name[ORR_TRACE_LINK], const char *from,
                         const char *to);

void orr_trace_lanes_init(struct orr_trace_lanes *lanes);
void orr_trace_lanes_clear(struct orr_trace_lanes *lanes);

/*
 * Takes a row of the group @name for a bar from *@from to @to. With @alone, the
 * group has one row, and *@from moves to the end of the bar before it if it
 * overlaps. Returns the index of the row; *@is_new: it was not there before.
 */
unsigned orr_trace_lanes_take(struct orr_trace_lanes *lanes, const char *name,
                              bool alone, int64_t *from, int64_t to,
                              bool *is_new);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HTML_RECORD_H
#define ORR_HTML_RECORD_H

#include <glib.h>

#include "models/base/name_index.h"
#include "runtime/orrery_trace.h"

/*
 * A trace in memory of everything that a report in HTML shows: about 150 bytes
 * for each task and 50 for each copy. Dates are in ns since the first
 * submission. Names are indices of @names.
 */
struct orr_html_task {
    uint64_t order; /* of submission */
    int64_t submitted, ready, arrived, started, kernel_started, kernel_ended,
        ended; /* as in struct orr_trace_task */
    uint32_t worker, kernel, name;
    uint32_t memory; /* memory of the worker, a name */
    int32_t priority;
    uint32_t first_parent, parent_count; /* of @parents */
    uint32_t first_access, access_count; /* of @accesses */
    uint32_t coordinates[ORR_MAX_COORDINATES];
    uint8_t coordinate_count;
};

struct orr_html_copy {
    int64_t submitted, started, ended;
    uint64_t bytes;
    uint32_t link; /* index in @links */
    uint32_t datum;
    uint32_t why; /* name */
};

struct orr_html_access {
    uint32_t datum;
    uint8_t mode; /* enum orr_access_mode */
};

struct orr_html_datum {
    uint64_t bytes;
    uint32_t name;       /* name plus 1; 0: none */
    int32_t row, column; /* -1: no coordinates */
};

/* The direction of copies between two memories. */
struct orr_html_link {
    uint32_t from, to; /* names */
};

/* A change of the bytes in buffers of a GPU's memory. */
struct orr_html_change {
    int64_t date;
    int64_t bytes;   /* < 0: freed */
    uint32_t memory; /* memory node */
};

struct orr_html_record {
    struct orr_trace trace; /* first, so that one converts to the other */
    GArray *tasks;          /* struct orr_html_task, in order of their ends */
    GArray *copies;         /* struct orr_html_copy, in order of their ends */
    GArray *parents;        /* uint32_t: order of submission */
    GArray *accesses;       /* struct orr_html_access */
    GArray *data;           /* struct orr_html_datum, by number */
    GArray *links;          /* struct orr_html_link */
    GArray *memories;       /* uint32_t: name plus 1 of each memory node; 0: not
                               known, as it had no copy */
    GArray *changes;        /* struct orr_html_change, in order of dates */
    struct orr_name_index names;
    GHashTable *of_link; /* index of links plus 1, by both names */
};

void orr_html_record_init(struct orr_html_record *record);
void orr_html_record_clear(struct orr_html_record *record);

#endif

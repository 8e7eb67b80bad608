/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARVZ_H
#define ORR_STARVZ_H

#include "apps/trace/trace_counters.h"
#include "apps/trace/trace_file.h"
#include "models/platform/platform.h"
#include "runtime/orrery_trace.h"

/* What the files of the format share: see trace_starvz.c. */

enum orr_starvz_table {
    ORR_STARVZ_ENTITIES,
    ORR_STARVZ_WORKER_STATE,
    ORR_STARVZ_MEMORY_STATE,
    ORR_STARVZ_COMM_STATE,
    ORR_STARVZ_OTHER_STATE,
    ORR_STARVZ_VARIABLE,
    ORR_STARVZ_LINK,
    ORR_STARVZ_EVENTS,
    ORR_STARVZ_TASKS,
    ORR_STARVZ_DATA,
    ORR_STARVZ_DAG,
    ORR_STARVZ_TABLES
};

/* Figures over time: the number of ready tasks, and three of each memory. */
enum {
    ORR_STARVZ_READY = 0,
    ORR_STARVZ_USED = 1,
    ORR_STARVZ_IN = 2,
    ORR_STARVZ_OUT = 3,
    ORR_STARVZ_OF_MEMORY = 3,
    ORR_STARVZ_FIGURES = ORR_STARVZ_USED + ORR_STARVZ_OF_MEMORY * ORR_MAX_NODES
};

/* What the lines of a figure begin with. */
struct orr_starvz_begin {
    char text[56];
    size_t size;
};

struct orr_starvz {
    struct orr_trace trace; /* first */
    char *path;
    struct orr_trace_file files[ORR_STARVZ_TABLES];
    struct orr_trace_counters counters;
    struct orr_starvz_begin begins[ORR_STARVZ_FIGURES];
    int64_t memory[ORR_MAX_NODES]; /* bytes of buffers, by memory node */
    bool nodes[ORR_MAX_NODES];     /* those in entities.csv */
    GArray *workers;               /* bool, by index: in entities.csv */
    GArray *data;                  /* bool, by number: in rec.data_handles */
    uint64_t copies;
    int64_t last; /* date of the last end */
};

static inline void orr_starvz_put_time(struct orr_trace_file *file, int64_t ns)
{
    orr_trace_put_time(file, ns, 6);
}

static inline void orr_starvz_put_hexadecimal(struct orr_trace_file *file,
                                              uint64_t number)
{
    char text[2 * ORR_DIGITS];
    char *end = text + ORR_DIGITS;
    char *at = end;

    do
        *--at = "0123456789abcdef"[number % 16];
    while (number /= 16);
    orr_trace_put_number(file, at, end);
}

/* Writes a name without quotation marks and commas. */
void orr_starvz_put_name(struct orr_trace_file *file, const char *text);

/* Writes "START, END, DURATION". */
void orr_starvz_put_span(struct orr_trace_file *file, int64_t from, int64_t to);

/* ---- entities, which are told once ---- */

/* Those that there are before the run. */
void orr_starvz_begin(struct orr_starvz *starvz);

/* The memory @node, the worker of @task, and a datum: unless they were told. */
void orr_starvz_meet_node(struct orr_starvz *starvz, unsigned node);
void orr_starvz_meet_worker(struct orr_starvz *starvz,
                            const struct orr_trace_task *task);
void orr_starvz_meet_datum(struct orr_starvz *starvz,
                           const struct orr_trace_datum *datum);

/* Writes a line of a figure: orr_trace_counters.put of a struct orr_starvz. */
void orr_starvz_put_variable(void *data, unsigned figure, int64_t from,
                             int64_t to, int64_t value);

#endif

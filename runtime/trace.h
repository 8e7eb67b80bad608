/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_H
#define ORR_TRACE_H

#include <stdbool.h>

#include "models/base/error.h"
#include "models/base/units.h"

/*
 * What happened, told as it ends: each task and each copy. A trace is an
 * observer, it never changes the run. Each format is one writer that fills
 * this table of functions.
 *
 * Dates are in ns since the first submission.
 */
struct orr_trace_task {
    uint64_t order; /* of submission, from 0 */
    const char *name;
    unsigned worker; /* GPUs first, then CPUs */
    int priority;
    orr_time submitted;
    orr_time started;
    orr_time ended;
    unsigned access_count;
    const uint8_t *modes; /* enum orr_access_mode, in the order declared */
};

struct orr_trace_copy {
    const char *from; /* memory nodes: "RAM", "CUDA0" */
    const char *to;
    uint64_t data; /* which, in order of registration */
    uint64_t bytes;
    const char *why;    /* "fetch", "prefetch", "idle", "evict" */
    orr_time submitted; /* the request was made */
    orr_time started;   /* the copy was given to its stream */
    orr_time ended;
};

struct orr_trace {
    void (*task)(struct orr_trace *trace, const struct orr_trace_task *task);
    void (*copy)(struct orr_trace *trace, const struct orr_trace_copy *copy);
};

/*
 * Comma-separated values: tasks into @path, with the columns submit_order,
 * name, worker, priority, submit_ms, start_ms, end_ms, modes; and copies
 * beside it, into NAME.copies.csv for NAME.csv, with the columns from, to,
 * data, bytes, why, submit_ms, start_ms, end_ms. Tasks are in order of
 * completion.
 *
 * Both are written beside their final place and moved there by
 * orr_trace_csv_close(), so that a failure leaves what was there before.
 * Returns NULL with ORR_ERROR_IO if they cannot be created.
 */
struct orr_trace *orr_trace_csv_open(const char *path, GError **error);

/*
 * Ends the trace and frees it. With @keep, moves both files into place and
 * returns false with ORR_ERROR_IO if anything could not be written; otherwise
 * (the run failed) removes them. NULL @trace is allowed.
 */
bool orr_trace_csv_close(struct orr_trace *trace, bool keep, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TRACE_H
#define ORR_TRACE_H

#include <stdint.h>

#include "models/base/units.h"

/*
 * A trace receives each task and each copy when it ends. It observes and never
 * changes the run. Each format fills this table of functions.
 *
 * Dates are in ns since the first submission.
 */
struct orr_trace_task {
    uint64_t order; /* of submission, from 0 */
    const char *name;
    unsigned worker;      /* GPUs first, then CPUs */
    unsigned memory_node; /* of the worker; 0: host memory */
    int priority;
    orr_time submitted;
    orr_time started;        /* as the driver of the worker sees it: it gave the
                                kernel to the worker, or saw that the kernel before
                                had ended, */
    orr_time ended;          /* and it saw that the kernel had ended */
    orr_time kernel_started; /* @kernel_ended less the duration */
    orr_time kernel_ended;
    unsigned access_count;
    const uint8_t *modes; /* enum orr_access_mode, in the order declared */
};

struct orr_trace_copy {
    const char *from; /* memory nodes: "RAM", "CUDA0" */
    const char *to;
    uint64_t data; /* number, in order of registration */
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

#endif

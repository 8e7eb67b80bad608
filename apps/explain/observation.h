/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_OBSERVATION_H
#define ORR_OBSERVATION_H

#include <glib.h>

#include "models/base/name_index.h"
#include "models/platform/platform.h"
#include "runtime/orrery_trace.h"

/*
 * A trace in memory for the explanation of a run: about 120 bytes for each
 * task, each copy and each datum. Dates are in ns since the first submission.
 */

/* No task, or no copy. */
#define ORR_SEEN_NONE UINT32_MAX

struct orr_seen_task {
    uint32_t order; /* order of submission */
    uint32_t worker;
    uint32_t kernel; /* index in kernels */
    uint32_t name;   /* offset of the name in names */
    uint32_t nodes;  /* bit n: some worker of memory node n can run the task */
    uint32_t parent; /* index of the predecessor that ended last; ORR_SEEN_NONE:
                        the task was ready when it was submitted */
    uint32_t copy;   /* index of the last copy that the task waited for;
                        ORR_SEEN_NONE: its data were there */
    uint32_t implementation;       /* as in struct orr_trace_task */
    int64_t ready, taken, arrived; /* struct orr_trace_task */
    int64_t from, to;              /* dates of the kernel */
    int64_t ended;
};

struct orr_seen_copy {
    uint8_t from, to; /* memory nodes */
    bool evicts;      /* the copy is a write-back */
    bool again; /* the datum had been evicted from @to since its last write */
    uint32_t route;    /* index of routes */
    uint32_t previous; /* index of the copy of the datum to @from that this
                          one waited for; or ORR_SEEN_NONE */
    uint32_t datum;    /* number */
    uint64_t bytes;
    int64_t submitted, started, ended, alone; /* see struct orr_trace_copy */
};

/* A route between two memory nodes. */
struct orr_seen_route {
    char *name;    /* "RAM-CUDA0"; owned */
    GArray *links; /* uint32_t: indices in links, in the order of the route;
                      owned */
    uint32_t next; /* index of another route between the same memory nodes;
                      ORR_SEEN_NONE: none */
};

struct orr_observation {
    struct orr_trace trace; /* first, so that one converts to the other */
    GArray *tasks;          /* struct orr_seen_task, in order of their ends */
    GArray *copies;         /* struct orr_seen_copy, in order of their ends */
    GArray *indices;        /* uint32_t: index in tasks, by order of submission;
                               ORR_SEEN_NONE: not ended */
    struct orr_name_index kernels; /* in order of their first end */
    GArray *
        counts; /* uint32_t: number of tasks, by orr_trace_task.kernel_number */
    struct orr_name_index links; /* in order of their first copy */
    GArray *routes; /* struct orr_seen_route, in order of their first copy */
    GString
        *names; /* names of tasks, "gemm(3,2,1)", each with a 0 at its end */
    uint64_t evictions[ORR_MAX_NODES]; /* by memory node */

    /* Private. */
    bool brief;       /* without names and parents */
    GArray *numbered; /* uint32_t: index of kernels, by kernel_number */
    GArray *first;    /* uint32_t: index of a route, by memory nodes */
    GArray *last;     /* uint32_t: index of the last copy, by datum and node */
    GArray *gone; /* uint32_t: nodes from which a datum was evicted, by datum */
};

/* @brief: do not record names and parents of tasks, which takes half of the
 * time. */
void orr_observation_init(struct orr_observation *seen, bool brief);
void orr_observation_clear(struct orr_observation *seen);

static inline const struct orr_seen_task *
orr_seen_task(const struct orr_observation *seen, uint32_t index)
{
    return &g_array_index(seen->tasks, struct orr_seen_task, index);
}

static inline const struct orr_seen_copy *
orr_seen_copy(const struct orr_observation *seen, uint32_t index)
{
    return &g_array_index(seen->copies, struct orr_seen_copy, index);
}

/* The name of a task with its coordinates; borrowed. */
const char *orr_seen_name(const struct orr_observation *seen,
                          const struct orr_seen_task *task);

#endif

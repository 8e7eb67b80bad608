/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKLOAD_H
#define ORR_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is to be computed, and by whom. Worker class c works in memory node c:
 * class 0 are the CPU cores, class g + 1 is GPU g.
 */
struct orr_workload {
    unsigned kernel_count;
    unsigned class_count;
    unsigned *workers; /* [class]; 0: the class counts for nothing */
    double *seconds;   /* [kernel * class_count + class]; INFINITY: cannot */

    /* Tasks, none before one that it waits for. */
    unsigned task_count;
    unsigned *kernels;         /* [task] */
    size_t *first_predecessor; /* [task_count + 1], into: */
    unsigned *predecessors;

    /* What tasks access. All data are in host memory at first. */
    size_t *first_access; /* [task_count + 1], into: */
    struct orr_workload_access *accesses;
    unsigned data_count;
    struct orr_workload_data *data;
};

struct orr_workload_access {
    unsigned data;
    bool reads;
    bool writes;
};

struct orr_workload_data {
    uint64_t bytes;
    bool placed; /* it is tile (row, column) of a matrix: */
    unsigned row;
    unsigned column;
};

/* Frees the arrays and @workload itself; NULL is allowed. */
void orr_workload_free(struct orr_workload *workload);

/* How long a task of @kernel takes on a worker of @class; INFINITY if no worker
 * there can run it. */
double orr_workload_seconds(const struct orr_workload *workload,
                            unsigned kernel, unsigned class);

/* The machine's memories and the ways between them. */
struct orr_supply {
    unsigned node_count;    /* as many as there are classes */
    uint64_t *memory_bytes; /* [node]; UINT64_MAX: no limit; [0] is ignored */

    unsigned route_count;
    struct orr_supply_route *routes;
    unsigned link_count;
    double *bytes_per_s; /* [link] */
    unsigned *own_links; /* that routes borrow; NULL: somebody else's */
};

struct orr_supply_route {
    unsigned from, to;     /* nodes */
    unsigned count;        /* of links; one listed twice is used twice */
    const unsigned *links; /* borrowed */
};

/* Frees the arrays and @supply itself; NULL is allowed. */
void orr_supply_free(struct orr_supply *supply);

#endif

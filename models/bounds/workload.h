/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_WORKLOAD_H
#define ORR_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A task graph and the workers that compute it. Workers of class c work in
 * memory node c: class 0 holds the CPU cores, class g + 1 is GPU g.
 */
struct orr_workload {
    unsigned kernel_count;
    unsigned class_count;
    unsigned *workers; /* [class]: number of workers; may be 0 */
    double *seconds;   /* [kernel * class_count + class]: duration of a task;
                          INFINITY if the class cannot run the kernel */

    /* Energy; joules is NULL if it is not known. */
    double base_w;  /* least power of the machine at any time */
    double *joules; /* [kernel * class_count + class]: least energy that a task
                       adds to base_w x time; may be negative */

    /* Tasks, each after its predecessors. */
    unsigned task_count;
    unsigned *kernels;         /* [task] */
    size_t *first_predecessor; /* [task_count + 1]: index into predecessors */
    unsigned *predecessors;

    /* Accesses of tasks. All data are in host memory at first. */
    size_t *first_access; /* [task_count + 1]: index into accesses */
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
    bool placed; /* the datum is tile (row, column) of a matrix */
    unsigned row;
    unsigned column;
};

/* Frees the arrays and @workload itself; NULL is allowed. */
void orr_workload_free(struct orr_workload *workload);

/* How long a task of @kernel takes on a worker of @class; INFINITY if no worker
 * there can run it. */
double orr_workload_seconds(const struct orr_workload *workload,
                            unsigned kernel, unsigned class);

/* The memories of the machine, and the routes between them. */
struct orr_supply {
    unsigned node_count;    /* equals class_count of the workload */
    uint64_t *memory_bytes; /* [node]; UINT64_MAX: no limit; [0] is ignored */

    unsigned route_count;
    struct orr_supply_route *routes;
    unsigned link_count;
    double *bytes_per_s; /* [link] */
    unsigned *own_links; /* owned, if routes borrow their links from here */
};

struct orr_supply_route {
    unsigned from, to;     /* nodes */
    unsigned count;        /* of links; a link listed twice is used twice */
    const unsigned *links; /* borrowed */
};

/* Frees the arrays and @supply itself; NULL is allowed. */
void orr_supply_free(struct orr_supply *supply);

#endif

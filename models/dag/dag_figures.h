/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_FIGURES_H
#define ORR_DAG_FIGURES_H

#include "models/dag/dag.h"

/*
 * What can be said of a graph without a machine. Times are those that were
 * recorded, wherever each task ran; a task without one counts as 0, as a task
 * without flops does in flops.
 *
 * The level of a task is the number of tasks on the longest path to it.
 */
struct orr_dag_kernel_figures {
    uint32_t kernel; /* index in the graph */
    uint32_t tasks;
    orr_time time;
    double flops;
};

struct orr_dag_figures {
    uint32_t tasks;    /* those that work */
    uint32_t others;   /* those that synchronise */
    uint32_t timed;    /* tasks with a recorded time */
    uint32_t measured; /* tasks with flops */
    orr_time time;     /* sum over tasks */
    double flops;      /* sum over tasks */

    uint64_t dependencies; /* between tasks, by data and by edges */
    double data_bytes;     /* of all data */
    /* Bytes that tasks read of what other tasks wrote, each time that one
     * reads. */
    double read_bytes;

    uint32_t depth; /* levels */
    uint32_t width; /* tasks of the largest level */
    /* Dependencies in relation to all pairs of tasks of neighbouring levels;
     * above 1 if many skip levels. */
    double density;

    orr_time path_time;   /* of the longest path by recorded time */
    uint32_t path_tasks;  /* tasks on it that work */
    double path_flops;    /* of the longest path by flops */
    uint32_t flops_tasks; /* tasks on it that work */

    uint32_t kernel_count;
    struct orr_dag_kernel_figures *kernels; /* the most work first; those
                                               without tasks left out */
};

/* Fills @figures; orr_dag_figures_clear() frees what it holds. */
void orr_dag_figures(const struct orr_dag *dag,
                     struct orr_dag_figures *figures);
void orr_dag_figures_clear(struct orr_dag_figures *figures);

#endif

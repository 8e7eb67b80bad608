/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_DAG_FIGURES_H
#define ORR_DAG_FIGURES_H

#include "models/dag/dag.h"

/*
 * Figures of a graph that need no machine. Times are the recorded ones, on
 * whatever device each task ran; a task without a time counts as 0 ns, a task
 * without flops as 0 flops.
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
    uint32_t tasks;    /* with a kernel */
    uint32_t others;   /* without one: they only synchronise */
    uint32_t timed;    /* tasks with a recorded time */
    uint32_t measured; /* tasks with flops */
    orr_time time;     /* sum over tasks */
    double flops;      /* sum over tasks */

    uint64_t dependencies; /* between tasks, by data and by edges */
    double data_bytes;     /* of all data */
    /* Bytes of data that tasks read after other tasks wrote them; a datum
     * counts once for each task that reads it. */
    double read_bytes;

    uint32_t depth; /* levels */
    uint32_t width; /* tasks of the largest level */
    /* Dependencies / pairs of tasks of neighbouring levels; above 1 if many
     * dependencies skip levels. */
    double density;

    orr_time path_time;   /* of the longest path by recorded time */
    uint32_t path_tasks;  /* tasks with a kernel on that path */
    double path_flops;    /* of the longest path by flops */
    uint32_t flops_tasks; /* tasks with a kernel on that path */

    uint32_t kernel_count;
    struct orr_dag_kernel_figures *kernels; /* with tasks; most work first */
};

/* Fills @figures; orr_dag_figures_clear() frees what it holds. */
void orr_dag_figures(const struct orr_dag *dag,
                     struct orr_dag_figures *figures);
void orr_dag_figures_clear(struct orr_dag_figures *figures);

#endif

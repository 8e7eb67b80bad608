/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag.h"

void orr_dag_free(struct orr_dag *dag)
{
    if (!dag)
        return;
    g_free(dag->path);
    g_free(dag->tasks);
    g_free(dag->accesses);
    g_free(dag->edges);
    g_free(dag->data);
    g_free(dag->devices);
    g_free(dag->hints);
    g_free(dag->kernels);
    g_free(dag->texts);
    g_free(dag->dates);
    g_free(dag);
}

const char *orr_dag_kernel(const struct orr_dag *dag, uint32_t task)
{
    uint32_t kernel = dag->tasks[task].kernel;

    return kernel == ORR_DAG_NONE ? ""
                                  : orr_dag_text(dag, dag->kernels[kernel]);
}

uint32_t orr_dag_access_count(const struct orr_dag *dag)
{
    return dag->tasks[dag->task_count].first_access;
}

uint32_t orr_dag_edge_count(const struct orr_dag *dag)
{
    return dag->tasks[dag->task_count].first_edge;
}

size_t orr_dag_memory(const struct orr_dag *dag)
{
    return sizeof *dag + (dag->task_count + (size_t)1) * sizeof *dag->tasks +
           orr_dag_access_count(dag) * sizeof *dag->accesses +
           orr_dag_edge_count(dag) * sizeof *dag->edges +
           dag->datum_count * sizeof *dag->data +
           dag->device_count * sizeof *dag->devices +
           dag->hint_count * sizeof *dag->hints +
           dag->kernel_count * sizeof *dag->kernels + dag->text_size +
           (dag->dates ? dag->task_count * sizeof *dag->dates : 0);
}

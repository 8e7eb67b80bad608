/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/dag/dag_figures.h"

#include <stdlib.h>

#include "models/dag/dag_dependencies.h"

/* The longest paths that end with a node. */
struct ends {
    uint32_t *levels; /* tasks on the longest path, this one included */
    orr_time *times;
    double *flops;
    uint32_t *timed_tasks; /* tasks on the longest path by time, by flops */
    uint32_t *flops_tasks;
};

static void count_kernels(const struct orr_dag *dag,
                          struct orr_dag_figures *figures)
{
    figures->kernels =
        g_new0(struct orr_dag_kernel_figures, dag->kernel_count + (size_t)1);
    for (uint32_t i = 0; i < dag->kernel_count; i++)
        figures->kernels[i].kernel = i;
    for (uint32_t i = 0; i < dag->task_count; i++) {
        const struct orr_dag_task *task = &dag->tasks[i];
        struct orr_dag_kernel_figures *kernel;

        if (task->kernel == ORR_DAG_NONE) {
            figures->others++;
            continue;
        }
        kernel = &figures->kernels[task->kernel];
        kernel->tasks++;
        figures->tasks++;
        if (task->duration >= 0) {
            figures->timed++;
            kernel->time += task->duration;
            figures->time += task->duration;
        }
        if (task->flops >= 0) {
            figures->measured++;
            kernel->flops += task->flops;
            figures->flops += task->flops;
        }
    }
}

static int compare_kernels(const void *a, const void *b)
{
    const struct orr_dag_kernel_figures *left = a;
    const struct orr_dag_kernel_figures *right = b;

    if ((left->tasks == 0) != (right->tasks == 0))
        return left->tasks == 0 ? 1 : -1;
    if (left->time != right->time)
        return left->time > right->time ? -1 : 1;
    if (left->flops < right->flops || left->flops > right->flops)
        return left->flops > right->flops ? -1 : 1;
    return (left->kernel > right->kernel) - (left->kernel < right->kernel);
}

static void sort_kernels(const struct orr_dag *dag,
                         struct orr_dag_figures *figures)
{
    if (dag->kernel_count > 0)
        qsort(figures->kernels, dag->kernel_count, sizeof *figures->kernels,
              compare_kernels);
    while (figures->kernel_count < dag->kernel_count &&
           figures->kernels[figures->kernel_count].tasks > 0)
        figures->kernel_count++;
}

static void count_bytes(const struct orr_dag *dag,
                        struct orr_dag_figures *figures)
{
    bool *written = g_new0(bool, dag->datum_count + (size_t)1);

    for (uint32_t i = 0; i < dag->datum_count; i++)
        figures->data_bytes += (double)dag->data[i].bytes;
    for (uint32_t i = 0; i < orr_dag_access_count(dag); i++) {
        const struct orr_dag_access *access = &dag->accesses[i];

        if (access->mode & ORR_DAG_READ && written[access->datum])
            figures->read_bytes += (double)dag->data[access->datum].bytes;
        if (access->mode & (ORR_DAG_WRITE | ORR_DAG_REDUX))
            written[access->datum] = true;
    }
    g_free(written);
}

/* Extends the longest paths that end at predecessors of @node to @node. */
static void extend(const struct orr_dag *dag, const struct orr_dag_nodes *nodes,
                   uint32_t node, struct ends *ends)
{
    bool works =
        node < dag->task_count && dag->tasks[node].kernel != ORR_DAG_NONE;

    for (uint32_t i = 0; i < nodes->counts[node]; i++) {
        uint32_t before = nodes->before[nodes->first[node] + i];

        ends->levels[node] = MAX(ends->levels[node], ends->levels[before]);
        if (ends->times[before] > ends->times[node] ||
            (ends->times[before] == ends->times[node] &&
             ends->timed_tasks[before] > ends->timed_tasks[node])) {
            ends->times[node] = ends->times[before];
            ends->timed_tasks[node] = ends->timed_tasks[before];
        }
        if (ends->flops[before] > ends->flops[node] ||
            (!(ends->flops[before] < ends->flops[node]) &&
             ends->flops_tasks[before] > ends->flops_tasks[node])) {
            ends->flops[node] = ends->flops[before];
            ends->flops_tasks[node] = ends->flops_tasks[before];
        }
    }
    if (!works)
        return;
    ends->levels[node]++;
    ends->timed_tasks[node]++;
    ends->flops_tasks[node]++;
    ends->times[node] += MAX(dag->tasks[node].duration, 0);
    ends->flops[node] += MAX(dag->tasks[node].flops, 0);
}

static void find_longest(const struct orr_dag *dag, const struct ends *ends,
                         struct orr_dag_figures *figures)
{
    for (uint32_t i = 0; i < dag->task_count; i++) {
        if (ends->times[i] > figures->path_time ||
            (ends->times[i] == figures->path_time &&
             ends->timed_tasks[i] > figures->path_tasks)) {
            figures->path_time = ends->times[i];
            figures->path_tasks = ends->timed_tasks[i];
        }
        if (ends->flops[i] > figures->path_flops ||
            (!(ends->flops[i] < figures->path_flops) &&
             ends->flops_tasks[i] > figures->flops_tasks)) {
            figures->path_flops = ends->flops[i];
            figures->flops_tasks = ends->flops_tasks[i];
        }
        figures->depth = MAX(figures->depth, ends->levels[i]);
    }
}

/* Sets depth, width and density. */
static void count_levels(const struct orr_dag *dag,
                         const struct orr_dag_nodes *nodes,
                         const struct ends *ends,
                         struct orr_dag_figures *figures)
{
    uint32_t *sizes = g_new0(uint32_t, figures->depth + (size_t)2);
    double pairs = 0;

    for (uint32_t i = 0; i < dag->task_count; i++) {
        if (dag->tasks[i].kernel != ORR_DAG_NONE)
            sizes[ends->levels[i]]++;
        figures->dependencies += nodes->counts[i];
    }
    for (uint32_t level = 1; level <= figures->depth; level++) {
        figures->width = MAX(figures->width, sizes[level]);
        if (level > 1)
            pairs += (double)sizes[level - 1] * sizes[level];
    }
    figures->density = pairs > 0 ? (double)figures->dependencies / pairs : 0;
    g_free(sizes);
}

void orr_dag_figures(const struct orr_dag *dag, struct orr_dag_figures *figures)
{
    struct orr_dag_nodes nodes;
    struct ends ends;
    uint32_t *cycle;
    uint32_t length;
    uint32_t *order;

    *figures = (struct orr_dag_figures){.tasks = 0};
    count_kernels(dag, figures);
    sort_kernels(dag, figures);
    count_bytes(dag, figures);
    orr_dag_dependencies(dag, ORR_DAG_FLOW | ORR_DAG_EDGES, &nodes);
    order = orr_dag_sort(&nodes, &cycle, &length);
    g_assert(order); /* graphs have no cycles */
    ends.levels = g_new0(uint32_t, nodes.count);
    ends.times = g_new0(orr_time, nodes.count);
    ends.flops = g_new0(double, nodes.count);
    ends.timed_tasks = g_new0(uint32_t, nodes.count);
    ends.flops_tasks = g_new0(uint32_t, nodes.count);
    for (uint32_t i = 0; i < nodes.count; i++)
        extend(dag, &nodes, order[i], &ends);
    find_longest(dag, &ends, figures);
    count_levels(dag, &nodes, &ends, figures);
    g_free(ends.levels);
    g_free(ends.times);
    g_free(ends.flops);
    g_free(ends.timed_tasks);
    g_free(ends.flops_tasks);
    g_free(order);
    orr_dag_dependencies_clear(&nodes);
}

void orr_dag_figures_clear(struct orr_dag_figures *figures)
{
    g_free(figures->kernels);
    *figures = (struct orr_dag_figures){.tasks = 0};
}

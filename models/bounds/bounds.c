/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/bounds.h"

#include <glib.h>
#include <math.h>

#include "models/bounds/bounds_private.h"

void orr_workload_free(struct orr_workload *workload)
{
    if (!workload)
        return;
    g_free(workload->workers);
    g_free(workload->seconds);
    g_free(workload->kernels);
    g_free(workload->first_predecessor);
    g_free(workload->predecessors);
    g_free(workload->first_access);
    g_free(workload->accesses);
    g_free(workload->data);
    g_free(workload);
}

void orr_supply_free(struct orr_supply *supply)
{
    if (!supply)
        return;
    g_free(supply->memory_bytes);
    g_free(supply->routes);
    g_free(supply->bytes_per_s);
    g_free(supply->own_links);
    g_free(supply);
}

/* Time of a task of @kernel on @class; INFINITY: nobody there can run it. */
static double seconds_on(const struct orr_workload *workload, unsigned kernel,
                         unsigned class)
{
    return workload->workers[class] > 0
               ? workload->seconds[kernel * workload->class_count + class]
               : INFINITY;
}

double orr_bound_fastest(const struct orr_workload *workload, unsigned kernel)
{
    double fastest = INFINITY;

    for (unsigned c = 0; c < workload->class_count; c++)
        fastest = fmin(fastest, seconds_on(workload, kernel, c));
    return fastest;
}

double orr_bound_path(const struct orr_workload *workload,
                      const double *seconds, const unsigned *of, double *ends,
                      unsigned *last)
{
    double longest = 0;

    *last = 0;
    for (unsigned i = 0; i < workload->task_count; i++) {
        double start = 0;

        for (size_t p = workload->first_predecessor[i];
             p < workload->first_predecessor[i + 1]; p++)
            start = fmax(start, ends[workload->predecessors[p]]);
        ends[i] = start + seconds[of[i]];
        if (ends[i] > longest) {
            longest = ends[i];
            *last = i;
        }
    }
    return longest;
}

double orr_bound_critical_path(const struct orr_workload *workload)
{
    double *seconds = g_new(double, workload->kernel_count);
    double *ends = g_new(double, workload->task_count);
    double longest;
    unsigned last;

    for (unsigned k = 0; k < workload->kernel_count; k++)
        seconds[k] = orr_bound_fastest(workload, k);
    longest = orr_bound_path(workload, seconds, workload->kernels, ends, &last);
    g_free(ends);
    g_free(seconds);
    return longest;
}

/* All tasks of a group are somewhere. */
static void add_group(struct orr_area *area,
                      const struct orr_workload *workload, unsigned index,
                      const struct orr_bound_group *group)
{
    struct orr_linear_program *program = area->program;
    int row = orr_linear_program_add_row(program, ORR_ROW_EQUAL, group->count);

    for (unsigned c = 0; c < workload->class_count; c++) {
        int *column = &area->tasks[index * workload->class_count + c];

        if (!isfinite(seconds_on(workload, group->kernel, c)))
            continue;
        *column = orr_linear_program_add_column(program, 0);
        orr_linear_program_set(program, row, *column, 1);
    }
}

/* The workers of a class take no longer than T. */
static void add_class(struct orr_area *area,
                      const struct orr_workload *workload, unsigned class,
                      const struct orr_bound_group *groups, unsigned count)
{
    struct orr_linear_program *program = area->program;
    int row = orr_linear_program_add_row(program, ORR_ROW_AT_MOST, 0);

    orr_linear_program_set(program, row, area->makespan,
                           -(double)workload->workers[class]);
    for (unsigned g = 0; g < count; g++) {
        int column = area->tasks[g * workload->class_count + class];

        if (column != 0)
            orr_linear_program_set(
                program, row, column,
                seconds_on(workload, groups[g].kernel, class));
    }
}

void orr_area_init(struct orr_area *area, const struct orr_workload *workload,
                   const struct orr_bound_group *groups, unsigned count)
{
    area->program = orr_linear_program_new();
    area->makespan = orr_linear_program_add_column(area->program, 1);
    area->class_count = workload->class_count;
    area->tasks = g_new0(int, (gsize)count * workload->class_count);
    for (unsigned g = 0; g < count; g++)
        add_group(area, workload, g, &groups[g]);
    for (unsigned c = 0; c < workload->class_count; c++)
        add_class(area, workload, c, groups, count);
}

void orr_area_clear(struct orr_area *area)
{
    orr_linear_program_free(area->program);
    g_free(area->tasks);
}

double orr_bound_area(const struct orr_workload *workload)
{
    struct orr_bound_group *groups =
        g_new0(struct orr_bound_group, workload->kernel_count);
    struct orr_area area;
    double least;

    for (unsigned k = 0; k < workload->kernel_count; k++)
        groups[k].kernel = k;
    for (unsigned i = 0; i < workload->task_count; i++)
        groups[workload->kernels[i]].count++;
    orr_area_init(&area, workload, groups, workload->kernel_count);
    least = orr_linear_program_minimise(area.program);
    orr_area_clear(&area);
    g_free(groups);
    return least;
}

void orr_bounds_compute(struct orr_bounds *bounds,
                        const struct orr_workload *workload,
                        const struct orr_supply *supply)
{
    bounds->area_s = orr_bound_area(workload);
    bounds->critical_path_s = orr_bound_critical_path(workload);
    bounds->mixed_s = orr_bound_mixed(workload);
    bounds->transfer_s = orr_bound_transfer(workload, supply);
}

double orr_bounds_best(const struct orr_bounds *bounds)
{
    return fmax(fmax(bounds->area_s, bounds->critical_path_s),
                fmax(bounds->mixed_s, bounds->transfer_s));
}

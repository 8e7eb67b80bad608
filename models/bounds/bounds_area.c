/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/bounds/bounds_area.h"

#include <glib.h>
#include <math.h>

#include "models/bounds/bounds.h"

/* Adds the row: all tasks of a group run on some class. */
static void add_group(struct orr_area *area,
                      const struct orr_workload *workload, unsigned index,
                      const struct orr_bound_group *group)
{
    struct orr_linear_program *program = area->program;
    int row = orr_linear_program_add_row(program, ORR_ROW_EQUAL, group->count);

    for (unsigned c = 0; c < workload->class_count; c++) {
        int *column = &area->tasks[index * workload->class_count + c];

        if (!isfinite(orr_workload_seconds(workload, group->kernel, c)))
            continue;
        *column = orr_linear_program_add_column(program, 0);
        orr_linear_program_set(program, row, *column, 1);
    }
}

/* Adds the row: the workers of a class need no longer than T. */
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
                orr_workload_seconds(workload, groups[g].kernel, class));
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

void orr_area_init_kernels(struct orr_area *area,
                           const struct orr_workload *workload)
{
    struct orr_bound_group *groups =
        g_new0(struct orr_bound_group, workload->kernel_count);

    for (unsigned k = 0; k < workload->kernel_count; k++)
        groups[k].kernel = k;
    for (unsigned i = 0; i < workload->task_count; i++)
        groups[workload->kernels[i]].count++;
    orr_area_init(area, workload, groups, workload->kernel_count);
    g_free(groups);
}

double orr_bound_area_counts(const struct orr_workload *workload,
                             double *counts)
{
    struct orr_area area;
    double least;

    orr_area_init_kernels(&area, workload);
    least = orr_linear_program_minimise(area.program);
    for (size_t i = 0;
         counts && i < (size_t)workload->kernel_count * area.class_count; i++)
        counts[i] = isfinite(least) && area.tasks[i] != 0
                        ? orr_linear_program_value(area.program, area.tasks[i])
                        : 0;
    orr_area_clear(&area);
    return least;
}

double orr_bound_area(const struct orr_workload *workload)
{
    return orr_bound_area_counts(workload, NULL);
}

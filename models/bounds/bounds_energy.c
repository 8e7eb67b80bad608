/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>

#include "models/bounds/bounds.h"
#include "models/bounds/bounds_area.h"

/* The digits that a linear program gives. */
#define SLACK 1e-7

/* The joules of all tasks, and of the machine, become the cost. */
static void take_costs(struct orr_area *area,
                       const struct orr_workload *workload)
{
    orr_linear_program_set_cost(area->program, area->makespan,
                                workload->base_w);
    for (size_t i = 0; i < (size_t)workload->kernel_count * area->class_count;
         i++) {
        if (area->tasks[i] != 0)
            orr_linear_program_set_cost(area->program, area->tasks[i],
                                        workload->joules[i]);
    }
}

/* The least energy, if the makespan is at least @limit_s, or equals it. */
static double least_joules(const struct orr_workload *workload,
                           enum orr_row_kind kind, double limit_s)
{
    struct orr_area area;
    double least;
    int row;

    if (!isfinite(limit_s))
        return INFINITY;
    orr_area_init_kernels(&area, workload);
    take_costs(&area, workload);
    row = orr_linear_program_add_row(area.program, kind, limit_s);
    orr_linear_program_set(area.program, row, area.makespan, 1);
    least = orr_linear_program_minimise(area.program);
    orr_area_clear(&area);
    return least;
}

void orr_energy_bounds_compute(struct orr_energy_bounds *bounds,
                               const struct orr_workload *workload)
{
    double path_s;

    *bounds = (struct orr_energy_bounds){NAN, NAN, NAN};
    if (!workload->joules)
        return;
    path_s = orr_bound_critical_path(workload);
    bounds->least_j = least_joules(workload, ORR_ROW_AT_LEAST, path_s);
    bounds->area_j =
        least_joules(workload, ORR_ROW_EQUAL,
                     fmax(orr_bound_area(workload), path_s) * (1 + SLACK));
    bounds->idle_j = workload->base_w * path_s;
}

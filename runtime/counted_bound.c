/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The area bound of tasks that are only counted: it needs no run. */
#include <math.h>

#include "models/bounds/bounds_area.h"
#include "runtime/orrery_bounds.h"

static bool is_right(unsigned kinds, unsigned workers, const double *seconds)
{
    for (size_t i = 0; i < (size_t)kinds * workers; i++)
        if (!(seconds[i] >= 0))
            return false;
    return workers > 0 || kinds == 0;
}

/* Each kind of tasks is a kernel, each worker a class of its own. */
static void init_area(struct orr_area *area, unsigned kinds,
                      const uint64_t *tasks, unsigned workers,
                      const double *seconds)
{
    struct orr_bound_group *groups = g_new0(struct orr_bound_group, kinds);
    unsigned *ones = g_new(unsigned, workers);
    const struct orr_workload workload = {
        .kernel_count = kinds,
        .class_count = workers,
        .workers = ones,
        .seconds = (double *)seconds,
    };

    for (unsigned w = 0; w < workers; w++)
        ones[w] = 1;
    for (unsigned k = 0; k < kinds; k++)
        groups[k] = (struct orr_bound_group){.kernel = k, .count = tasks[k]};
    orr_area_init(area, &workload, groups, kinds);
    g_free(groups);
    g_free(ones);
}

static double make_whole(struct orr_area *area, size_t count)
{
    int *columns = g_new(int, count);
    unsigned used = 0;
    double least;

    for (size_t i = 0; i < count; i++)
        if (area->tasks[i] != 0)
            columns[used++] = area->tasks[i];
    least = orr_linear_program_make_whole(area->program, columns, used);
    g_free(columns);
    return least;
}

double orr_bound_of_counts(unsigned kinds, const uint64_t *tasks,
                           unsigned workers, const double *seconds, bool whole,
                           double *counts)
{
    size_t count = (size_t)kinds * workers;
    struct orr_area area;
    double least;

    for (size_t i = 0; counts && i < count; i++)
        counts[i] = 0;
    if (!is_right(kinds, workers, seconds))
        return NAN;
    init_area(&area, kinds, tasks, workers, seconds);
    least = orr_linear_program_minimise(area.program);
    if (isfinite(least) && whole)
        least = make_whole(&area, count);
    for (size_t i = 0; counts && i < count; i++)
        if (isfinite(least) && area.tasks[i] != 0)
            counts[i] = orr_linear_program_value(area.program, area.tasks[i]);
    orr_area_clear(&area);
    return least;
}

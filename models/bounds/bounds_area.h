/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_BOUNDS_AREA_H
#define ORR_BOUNDS_AREA_H

#include <stdint.h>

#include "models/bounds/linear_program.h"
#include "models/bounds/workload.h"

/* Tasks of one kernel that share their variables in the linear program. */
struct orr_bound_group {
    unsigned kernel;
    uint64_t count;
};

/* The linear program of the area bound (bounds.h) for groups of tasks. Other
 * bounds add rows to it. */
struct orr_area {
    struct orr_linear_program *program;
    int makespan; /* the column of T */
    int *tasks;   /* [group * class_count + class]: the column of n; 0 if the
                     class cannot run the group */
    unsigned class_count;
};

void orr_area_init(struct orr_area *area, const struct orr_workload *workload,
                   const struct orr_bound_group *groups, unsigned count);

/* The program of the area bound itself: group k holds all tasks of kernel k. */
void orr_area_init_kernels(struct orr_area *area,
                           const struct orr_workload *workload);

void orr_area_clear(struct orr_area *area);

#endif

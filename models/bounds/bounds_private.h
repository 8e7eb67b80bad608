/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files of bounds.h. */
#ifndef ORR_BOUNDS_PRIVATE_H
#define ORR_BOUNDS_PRIVATE_H

#include "models/bounds/bounds.h"
#include "models/bounds/linear_program.h"

/* Tasks of one kernel that the program need not tell apart. */
struct orr_bound_group {
    unsigned kernel;
    unsigned count;
};

/* The linear program of the area bound over groups, for more rows. */
struct orr_area {
    struct orr_linear_program *program;
    int makespan; /* the column of T */
    int *tasks;   /* [group * class_count + class]; 0: cannot */
    unsigned class_count;
};

void orr_area_init(struct orr_area *area, const struct orr_workload *workload,
                   const struct orr_bound_group *groups, unsigned count);
void orr_area_clear(struct orr_area *area);

/* The fastest time of @kernel; INFINITY if no worker can run it. */
double orr_bound_fastest(const struct orr_workload *workload, unsigned kernel);

/*
 * The longest path, where task i takes seconds[of[i]]. @ends, of as many
 * elements as there are tasks, is scratch: when each could end at the
 * earliest. *@last is the task that ends the path.
 */
double orr_bound_path(const struct orr_workload *workload,
                      const double *seconds, const unsigned *of, double *ends,
                      unsigned *last);

/* What geometry says of the update tasks of a workload: see bounds.h. */
struct orr_updates {
    unsigned count;     /* N; 0: nothing is known */
    double coefficient; /* F(S) = this times S^(3/2) */
    double tile_bytes;  /* b: of the smallest tile */
    bool *is_update;    /* [task] */
};

void orr_updates_init(struct orr_updates *updates,
                      const struct orr_workload *workload);
void orr_updates_clear(struct orr_updates *updates);

#endif

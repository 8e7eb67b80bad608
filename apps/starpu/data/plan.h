/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLAN_H
#define ORR_PLAN_H

#include "apps/starpu/data/handle_state.h"

#include <starpu_data_filters.h>

/*
 * A planned partition (starpu_data_partition_plan()): submissions split and
 * join its handle, and handles of tasks, too, if need be.
 */
struct sp_plan {
    struct orr_partition *partition;
    starpu_data_handle_t handle;
    unsigned count;
    bool active; /* it splits its handle, in order of submission */
    bool read_only;
    starpu_data_handle_t parts[];
};

/* The number of parts that @filter makes of @handle. */
unsigned sp_filter_parts(starpu_data_handle_t handle,
                         struct starpu_data_filter *filter, const char *call);

/* Part @index of @parts of @parent, by @filter; not in the run yet. Ends the
 * program, naming @call, if its kind lacks what every kind needs. */
starpu_data_handle_t sp_part_new(starpu_data_handle_t parent,
                                 struct starpu_data_filter *filter,
                                 unsigned index, unsigned parts,
                                 const char *call);

#endif

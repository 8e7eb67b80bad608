/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_REDUCTION_H
#define ORR_REDUCTION_H

#include "runtime/worker/redux.h"

/* The tasks that reduce a datum to which tasks have added by ORR_REDUX. */

/* Makes the job of a task that reduces. The caller adds its dependencies.
 * Returns NULL and sets run->error if it cannot be simulated. */
typedef struct orr_job *orr_reduction_maker(struct orr_run *run,
                                            const struct orr_task_spec *spec);

/* Gives @data a reduction by tasks of @kernel, with @times or, if NULL, its
 * own. */
void orr_reduction_new(struct orr_run *run, struct orr_data *data,
                       struct orr_kernel *kernel,
                       const struct orr_task_times *times,
                       orr_reduction_maker *make);

#endif

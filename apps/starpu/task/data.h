/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TASK_DATA_H
#define ORR_TASK_DATA_H

#include <starpu_task.h>

#include <orrery.h>

/* Accesses of a task, while it is submitted. */
struct sp_task_data {
    struct orr_access few[STARPU_NMAXBUFS];
    struct orr_data *few_scratch[STARPU_NMAXBUFS];
    void *many; /* for more data than these; else NULL */
    void *many_scratch;
};

/* Partitions the data of @task, or joins their parts, as its accesses need. */
void sp_task_data_prepare(struct starpu_task *task, const char *call);

/* Sets the members of @spec about the data of @task, which @data holds until
 * sp_task_data_clear(). */
void sp_task_data_fill(struct starpu_task *task, struct sp_task_data *data,
                       struct orr_task_spec *spec, const char *call);
void sp_task_data_clear(struct sp_task_data *data);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SP_BOUND_H
#define ORR_SP_BOUND_H

#include <starpu_task.h>

#include <orrery.h>

/* Whether tasks are counted now: between starpu_bound_start() and _stop(). */
extern bool sp_bound_records;

/* Counts @task, of which @spec has the kernel and times (sp_model_fill()). */
void sp_bound_record(struct starpu_task *task,
                     const struct orr_task_spec *spec);

/* When the session ends: forgets what was counted. */
void sp_bound_end(void);

#endif

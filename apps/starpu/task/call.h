/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CALL_H
#define ORR_STARPU_CALL_H

#include <starpu_task.h>

#include <orrery.h>

/* Sets the members of @spec, and @calls, which it may point to, so that the
 * functions of @task are called. Returns whether its end is noticed: then the
 * last call destroys the task if it has destroy = 1. */
bool sp_task_calls_fill(struct starpu_task *task, struct orr_task_calls *calls,
                        struct orr_task_spec *spec);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CALL_H
#define ORR_STARPU_CALL_H

#include <starpu_task.h>

#include <orrery.h>

/* Sets the calls of @spec, to @calls, so that the functions of @task are called
 * before its end. Returns whether its end must be noticed, by sp_task_ended().
 */
bool sp_task_calls_fill(struct starpu_task *task, struct orr_task_calls *calls,
                        struct orr_task_spec *spec);

/* Measures the codelet of @reducer, which reduces @handle, if kernels are
 * measured: contributions are added to the one copy in RAM, so it is not called
 * otherwise. */
void sp_task_measure_reduction(const struct starpu_task *reducer,
                               starpu_data_handle_t handle);

/* @task has ended: calls its callback, and destroys it if it has destroy = 1.
 * Returns whether it is to be submitted again: it has regenerate = 1. */
bool sp_task_ended(struct starpu_task *task);

#endif

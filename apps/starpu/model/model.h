/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MODEL_H
#define ORR_MODEL_H

#include <starpu_perfmodel.h>
#include <starpu_task.h>

#include <orrery.h>

/*
 * Sets the members of @spec that say how long @task takes: its kernel and, if
 * the model of the codelet gives times task by task, costs, which are borrowed
 * until the next call. Ends the program, naming @call, when no model and no
 * other source of times knows @task: the message has the codelet, its
 * footprint, the folder that was read, the sizes that are calibrated, and the
 * other ways to give times.
 */
void sp_model_fill(struct starpu_task *task, struct orr_task_spec *spec,
                   const char *call);

/* The model of tasks of this library, which take no time. */
extern struct starpu_perfmodel sp_no_time;

/* Takes the dates of @task into its profiling_info, if the program asked for
 * them. */
void sp_profile_submitted(struct starpu_task *task);
void sp_profile_executed(struct starpu_task *task);

/* Forgets the statistics of the session's workers. */
void sp_profiling_end(void);

/* When the session ends: says which sources of times applied, if not all tasks
 * had calibrated ones, and frees what belongs to the session. */
void sp_models_end(void);

#endif

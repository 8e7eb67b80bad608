/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TASKS_H
#define ORR_TASKS_H

/* When the session begins: the limits of submitted tasks between which
 * submissions wait, if both are at least 0. The option window has them. */
void sp_limits_begin(int minimum, int maximum);

/* Says in which iterations of the program's loops @task is submitted. */
struct starpu_task;
void sp_task_set_iterations(struct starpu_task *task);

/* When the session ends: frees what belongs to it of tasks and tags. */
void sp_tasks_end(void);

#endif

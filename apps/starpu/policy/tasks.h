/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_TASKS_H
#define ORR_STARPU_TASKS_H

#include <sched/sched.h>

#include <starpu_task.h>

/* Which task of StarPU's interface belongs to which task of the run, while a
 * policy in that interface runs. */

void sp_tasks_begin_policy(void);
void sp_tasks_end_policy(void);

/* The task of @submitted, which is not ready yet. */
struct starpu_task *sp_task_of_submission(struct orr_task *submitted);

/* The task of @ready, which is in sp_policy.ready from now on. */
struct starpu_task *sp_task_becomes_ready(struct orr_task *ready);

/* @ready has run: its task is forgotten, and freed if the program does not
 * have it. */
void sp_task_is_done(struct orr_task *ready);

/* Ends the run: the policy has returned @task, a pointer to no task that is
 * ready. */
void sp_task_refuse_popped(const struct starpu_task *task);

#endif

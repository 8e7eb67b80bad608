/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SUBMIT_H
#define ORR_STARPU_SUBMIT_H

#include "apps/starpu/task/job.h"

/* Submits @task, which is submitted by function @call of the program. Returns
 * 0; -ENODEV: no worker can run it, and nothing happened. */
int sp_task_submit(struct starpu_task *task, const char *call);

/* Waits until @job, which is submitted, has ended. */
void sp_job_wait(struct sp_job *job, const char *call);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CODELET_H
#define ORR_CODELET_H

#include <starpu_task.h>

#include <orrery.h>

/* The number of data of @task; datum @i and its mode, wherever they are kept:
 * in arrays of the task or of its codelet. */
unsigned sp_task_buffers(const struct starpu_task *task);
starpu_data_handle_t sp_task_handle(const struct starpu_task *task, unsigned i);
enum starpu_data_access_mode sp_task_mode(const struct starpu_task *task,
                                          unsigned i);

/* The name of @task in messages: its own, of its codelet, or of the model. */
const char *sp_task_name(const struct starpu_task *task);

/* The classes of workers, STARPU_CPU | STARPU_CUDA, that may run @task. */
uint32_t sp_task_where(const struct starpu_task *task);

/* Whether @task has a function, or flags that stand for one, for
 * implementation @implementation on @worker (can_execute() included). */
bool sp_task_can_execute(struct starpu_task *task, unsigned worker,
                         unsigned implementation);

#endif

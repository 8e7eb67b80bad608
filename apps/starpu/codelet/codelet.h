/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CODELET_H
#define ORR_CODELET_H

#include <starpu_task.h>

#include <orrery.h>

/* Completes @cl when it is first used: its member where, if it is 0, and the
 * first implementations under their old names (cpu_func). */
void sp_codelet_check(struct starpu_codelet *cl);

/* The member magic of a task that was destroyed. */
#define SP_TASK_DESTROYED 43

/* Ends the program, naming @call, if @task is NULL, or was destroyed. */
void sp_task_need(const struct starpu_task *task, const char *call);

/* The number of data of @task; datum @i and its mode, wherever they are kept:
 * in arrays of the task or of its codelet. */
unsigned sp_task_buffers(const struct starpu_task *task);
starpu_data_handle_t sp_task_handle(const struct starpu_task *task, unsigned i);
enum starpu_data_access_mode sp_task_mode(const struct starpu_task *task,
                                          unsigned i);

/* The name of @task in messages: its own, of its codelet, or of the model. */
const char *sp_task_name(const struct starpu_task *task);

/* The name of the codelet of @task: its own, of its model, or of @task. */
const char *sp_codelet_name(const struct starpu_task *task);

/* The classes of workers, STARPU_CPU | STARPU_CUDA, that may run @task. */
uint32_t sp_task_where(const struct starpu_task *task);

/* Whether @task has a function, or flags that stand for one, for
 * implementation @implementation on @worker (can_execute() included). */
bool sp_task_can_execute(struct starpu_task *task, unsigned worker,
                         unsigned implementation);

/* sp_task_can_execute() for some implementation. */
bool sp_task_can_run_on(struct starpu_task *task, unsigned worker);

/* Whether some worker of the session, one that @task names if it names some,
 * can run it. */
bool sp_task_is_executable(struct starpu_task *task);

/* Whether the bits of workerids of @task have @worker, if it has some. */
bool sp_task_names_worker(const struct starpu_task *task, unsigned worker);

/* Whether @task blocks the driver of a GPU until it ends: its cuda_flags do not
 * have STARPU_CUDA_ASYNC. */
bool sp_task_blocks_driver(const struct starpu_task *task);

#endif

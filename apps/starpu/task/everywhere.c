/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/task/submit.h"

#include <starpu.h>

/* Functions that workers call, by tasks that take no time. */

struct wrapped {
    void (*function)(void *);
    void *argument;
};

static void call_wrapped(void *buffers[], void *argument)
{
    const struct wrapped *wrapped = argument;

    (void)buffers;
    wrapped->function(wrapped->argument);
}

static struct starpu_codelet wrapper = {
    .cpu_funcs = {call_wrapped},
    .cuda_funcs = {call_wrapped},
    .cuda_flags = {STARPU_CUDA_ASYNC},
    .flags = STARPU_CODELET_SIMGRID_EXECUTE,
    .model = &sp_no_time,
    .name = "execute_on_all_wrapper",
};

/* A task on @worker; NULL: it is of none of the classes @where. */
static struct starpu_task *submit_on(unsigned worker, uint32_t where,
                                     struct wrapped *wrapped, const char *name,
                                     const char *call)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = &wrapper;
    task->cl_arg = wrapped;
    task->name = name;
    task->where = (int32_t)where;
    task->execute_on_a_specific_worker = 1;
    task->workerid = worker;
    task->detach = 0;
    task->destroy = 0;
    if (sp_task_submit(task, call) == 0)
        return task;
    sp_task_free(task);
    return NULL;
}

static void execute_on(const struct wrapped *function, uint32_t where,
                       unsigned count, const unsigned *workers,
                       const char *name, const char *call)
{
    g_autofree struct starpu_task **tasks = g_new(struct starpu_task *, count);
    struct wrapped wrapped = *function;

    sp_need_session(call);
    for (unsigned i = 0; i < count; i++)
        tasks[i] =
            submit_on(workers ? workers[i] : i, where, &wrapped, name, call);
    for (unsigned i = 0; i < count; i++) {
        if (!tasks[i])
            continue;
        sp_job_wait(sp_job_of(tasks[i]), call);
        sp_task_free(tasks[i]);
    }
}

void starpu_execute_on_specific_workers(void (*function)(void *),
                                        void *argument, unsigned number,
                                        unsigned *workers, const char *name)
{
    execute_on(&(struct wrapped){function, argument}, STARPU_CPU | STARPU_CUDA,
               number, workers, name, "starpu_execute_on_specific_workers()");
}

void starpu_execute_on_each_worker_ex(void (*function)(void *), void *argument,
                                      uint32_t where, const char *name)
{
    execute_on(&(struct wrapped){function, argument}, where, sp_session.workers,
               NULL, name, "starpu_execute_on_each_worker()");
}

void starpu_execute_on_each_worker(void (*function)(void *), void *argument,
                                   uint32_t where)
{
    starpu_execute_on_each_worker_ex(function, argument, where, NULL);
}

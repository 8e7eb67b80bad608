/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/task/submit.h"

#include <starpu.h>

/* Functions that workers call: when tasks on them, which take no time, have
 * ended, in the order of the workers. */

static void work(void *buffers[], void *argument)
{
    (void)buffers;
    (void)argument;
}

static struct starpu_codelet codelet = {
    .cpu_funcs = {work},
    .cuda_funcs = {work},
    .model = &sp_no_time,
    .name = "execute_on_all_wrapper",
};

struct wrapped {
    void (*function)(void *);
    void *argument;
};

/* A task on @worker; NULL: it is of none of the classes @where. */
static struct starpu_task *submit_on(unsigned worker, uint32_t where,
                                     const char *name, const char *call)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = &codelet;
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

static void execute(struct wrapped wrapped, unsigned worker)
{
    int before = sp_current_worker;

    sp_current_worker = (int)worker;
    wrapped.function(wrapped.argument);
    sp_current_worker = before;
}

static void execute_on(struct wrapped wrapped, uint32_t where, unsigned count,
                       const unsigned *workers, const char *name,
                       const char *call)
{
    sp_need_session(call);
    struct starpu_task **tasks = g_new(struct starpu_task *, count);

    for (unsigned i = 0; i < count; i++)
        tasks[i] = submit_on(workers ? workers[i] : i, where, name, call);
    for (unsigned i = 0; i < count; i++) {
        if (!tasks[i])
            continue;
        sp_job_wait(sp_job_of(tasks[i]), call);
        execute(wrapped, workers ? workers[i] : i);
        sp_task_free(tasks[i]);
    }
    g_free(tasks);
}

void starpu_execute_on_specific_workers(void (*function)(void *),
                                        void *argument, unsigned number,
                                        unsigned *workers, const char *name)
{
    execute_on((struct wrapped){function, argument}, STARPU_CPU | STARPU_CUDA,
               number, workers, name, "starpu_execute_on_specific_workers()");
}

void starpu_execute_on_each_worker_ex(void (*function)(void *), void *argument,
                                      uint32_t where, const char *name)
{
    execute_on((struct wrapped){function, argument}, where, sp_session.workers,
               NULL, name, "starpu_execute_on_each_worker()");
}

void starpu_execute_on_each_worker(void (*function)(void *), void *argument,
                                   uint32_t where)
{
    starpu_execute_on_each_worker_ex(function, argument, where, NULL);
}

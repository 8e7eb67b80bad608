/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/call.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/codelet/codelet.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/measure.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/task/job.h"

#include <starpu_profiling.h>

/* Functions of the program, called in its own process while the run stands
 * still. */

static void call(struct starpu_task *task, void (*function)(void *),
                 void *argument)
{
    struct starpu_task *before = sp_current_task;
    sp_current_task = task;
    sp_calls_of_workers++;
    function(argument);
    sp_calls_of_workers--;
    sp_current_task = before;
}

static void call_prologue(struct orr_run *run, void *data)
{
    struct starpu_task *task = data;
    (void)run;
    call(task, task->prologue_callback_func, task->prologue_callback_arg);
}

static void call_prologue_pop(struct orr_run *run, void *data)
{
    struct starpu_task *task = data;
    (void)run;
    call(task, task->prologue_callback_pop_func,
         task->prologue_callback_pop_arg);
}

/* Whether the kernel is called when its task starts, as over SimGrid; how long
 * it sleeps is the time of the task. */
static bool starts_kernel(const struct starpu_task *task)
{
    return task->cl && task->cl->flags & STARPU_CODELET_SIMGRID_EXECUTE;
}

/* Whether the kernel is called when its task ends, in no time. */
static bool is_executed(const struct starpu_task *task)
{
    return task->cl && !starts_kernel(task) &&
           (sp_session.execute ||
            task->cl->flags & STARPU_CODELET_SIMGRID_EXECUTE_AND_INJECT);
}

static starpu_cpu_func_t first_of(starpu_cpu_func_t const *functions)
{
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
        if (functions[i])
            return functions[i];
    return NULL;
}

/* Calls the kernel as @worker, on the copies in RAM. */
static void execute(struct starpu_task *task, starpu_cpu_func_t function,
                    unsigned worker)
{
    unsigned count = sp_task_buffers(task);
    g_autofree void **many =
        count > STARPU_NMAXBUFS ? g_new(void *, count) : NULL;
    void *few[STARPU_NMAXBUFS];
    void **buffers = many ? many : few;
    for (unsigned i = 0; i < count; i++)
        buffers[i] = sp_handle_interface(sp_task_handle(task, i));
    struct starpu_task *task_before = sp_current_task;
    int worker_before = sp_current_worker;
    sp_current_task = task;
    sp_current_worker = (int)worker;
    sp_kernel = (struct sp_kernel){.runs = true};
    function(buffers, task->cl_arg);
    sp_current_task = task_before;
    sp_current_worker = worker_before;
    sp_kernel.runs = false;
}

/* The function for CPUs; a task of a GPU has it called as the last CPU. */
static void execute_at_end(struct starpu_task *task)
{
    starpu_cpu_func_t function = first_of(task->cl->cpu_funcs);
    unsigned worker = sp_calls->run_acting_worker(sp_session.run);
    if (!function)
        return;
    if (worker < sp_session.gpus || worker >= sp_session.workers)
        worker = sp_session.workers - 1;
    double start = sp_measure_file() ? sp_measure_now_ns() : 0;
    execute(task, function, worker);
    if (sp_measure_file())
        sp_measure_add(task, sp_measure_now_ns() - start);
    sp_kernel.ns = 0;
}

enum { REDUCTIONS = 10 }; /* that are measured */

/* Adds one neutral element to another one. */
static void measure_reduction(const struct starpu_task *reducer,
                              starpu_data_handle_t handle, void *copies[2])
{
    void *argument;
    struct starpu_codelet *init = sp_handle_initializer(handle, &argument);
    starpu_cpu_func_t clear = init ? first_of(init->cpu_funcs) : NULL;
    starpu_cpu_func_t function = first_of(reducer->cl->cpu_funcs);
    void *buffers[] = {copies[0], copies[1], NULL};
    if (!clear || !function)
        return;
    if (reducer->cl->nbuffers > 2)
        buffers[2] = sp_handle_interface(sp_handle_reduction_scratch(handle));
    clear(&copies[0], argument);
    clear(&copies[1], argument);
    for (int i = 0; i < REDUCTIONS; i++) {
        double start = sp_measure_now_ns();
        function(buffers, reducer->cl_arg);
        sp_measure_add(reducer, sp_measure_now_ns() - start);
    }
}

void sp_task_measure_reduction(const struct starpu_task *reducer,
                               starpu_data_handle_t handle)
{
    if (!sp_measure_file() || !sp_session.execute)
        return;
    void *copies[] = {sp_handle_copy_new(handle), sp_handle_copy_new(handle)};
    if (copies[0] && copies[1])
        measure_reduction(reducer, handle, copies);
    sp_handle_copy_free(handle, copies[0]);
    sp_handle_copy_free(handle, copies[1]);
}

static void call_kernel(struct orr_run *run, void *data)
{
    struct starpu_task *task = data;
    unsigned worker = sp_calls->run_acting_worker(run);
    starpu_cpu_func_t function = first_of(
        worker < sp_session.gpus ? task->cl->cuda_funcs : task->cl->cpu_funcs);
    if (function)
        execute(task, function, worker);
    int64_t ns = sp_kernel.ns;
    sp_kernel.ns = 0;
    sp_calls->kernel_takes(run, ns);
}

static void call_epilogue(struct orr_run *run, void *data)
{
    struct starpu_task *task = data;
    (void)run;
    sp_profile_executed(task);
    if (is_executed(task))
        execute_at_end(task);
    if (task->epilogue_callback_func)
        call(task, task->epilogue_callback_func, task->epilogue_callback_arg);
}

/* The callback may clear the member. */
static bool is_regenerated(const struct starpu_task *task)
{
    if (!task->regenerate)
        return false;
    if (!task->detach || task->destroy || task->synchronous)
        sp_fail("starpu_task.regenerate",
                "task %s has detach = %d, destroy = %d and synchronous = %d: "
                "expected 1, 0 and 0",
                sp_task_name(task), task->detach, task->destroy,
                task->synchronous);
    return true;
}

bool sp_task_ended(struct starpu_task *task)
{
    struct sp_job *job = sp_job_of(task);
    task->status = STARPU_TASK_FINISHED;
    job->state = SP_JOB_ENDED;
    if (task->callback_func)
        call(task, task->callback_func, task->callback_arg);
    else if (task->cl && task->cl->callback_func)
        call(task, task->cl->callback_func, task->callback_arg);
    if (is_regenerated(task))
        return true;
    if ((task->destroy && task->detach) || job->destroy_wanted)
        sp_task_free(task);
    return false;
}

bool sp_task_calls_fill(struct starpu_task *task, struct orr_task_calls *calls,
                        struct orr_task_spec *spec)
{
    bool has_epilogue =
        task->epilogue_callback_func || is_executed(task) ||
        (task->cl && (task->profiling_info || starpu_profiling_status_get()));
    if (G_UNLIKELY(task->prologue_callback_func ||
                   task->prologue_callback_pop_func || has_epilogue ||
                   starts_kernel(task))) {
        *calls = (struct orr_task_calls){ORR_TASK_CALLS_INIT};
        if (task->prologue_callback_func)
            calls->prologue = (struct orr_call){call_prologue, task};
        if (task->prologue_callback_pop_func)
            calls->prologue_pop = (struct orr_call){call_prologue_pop, task};
        if (has_epilogue)
            calls->epilogue = (struct orr_call){call_epilogue, task};
        if (starts_kernel(task))
            calls->kernel = (struct orr_call){call_kernel, task};
        spec->calls = calls;
    }
    return !task->destroy || !task->detach || task->callback_func ||
           (task->cl && task->cl->callback_func) || spec->calls ||
           task->regenerate;
}

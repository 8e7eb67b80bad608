/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/codelet/codelet.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/session.h"

#include <starpu_perfmodel.h>
#include <starpu_scheduler.h>

void sp_task_need(const struct starpu_task *task, const char *call)
{
    if (!task)
        sp_fail(call, "the task is NULL");
    if (task->magic == SP_TASK_DESTROYED)
        sp_fail(call, "the task was destroyed before");
}

unsigned sp_task_buffers(const struct starpu_task *task)
{
    return STARPU_TASK_GET_NBUFFERS(task);
}

starpu_data_handle_t sp_task_handle(const struct starpu_task *task, unsigned i)
{
    return STARPU_TASK_GET_HANDLE(task, i);
}

enum starpu_data_access_mode sp_task_mode(const struct starpu_task *task,
                                          unsigned i)
{
    return STARPU_TASK_GET_MODE(task, i);
}

const char *sp_task_name(const struct starpu_task *task)
{
    const struct starpu_codelet *cl = task->cl;
    if (task->name)
        return task->name;
    if (cl && cl->name)
        return cl->name;
    return cl && cl->model && cl->model->symbol ? cl->model->symbol : "unknown";
}

const char *sp_codelet_name(const struct starpu_task *task)
{
    const struct starpu_codelet *cl = task->cl;
    if (cl->name)
        return cl->name;
    return cl->model && cl->model->symbol ? cl->model->symbol
                                          : sp_task_name(task);
}

/* An old name of a first implementation counts if the new one is not set. */
#define TAKE_OLD_NAME(cl, kind, many)                                          \
    do {                                                                       \
        if ((cl)->kind##_func && (cl)->kind##_func != (many) &&                \
            !(cl)->kind##_funcs[0])                                            \
            (cl)->kind##_funcs[0] = (cl)->kind##_func;                         \
    } while (0)

#define HAS_ANY(cl, kind)                                                      \
    ((cl)->kind##_funcs[0] || (cl)->kind##_funcs[1] ||                         \
     (cl)->kind##_funcs[2] || (cl)->kind##_funcs[3])
G_STATIC_ASSERT(STARPU_MAXIMPLEMENTATIONS == 4);

void sp_codelet_check(struct starpu_codelet *cl)
{
    if (G_LIKELY(cl->checked))
        return;
    TAKE_OLD_NAME(cl, cpu, STARPU_MULTIPLE_CPU_IMPLEMENTATIONS);
    TAKE_OLD_NAME(cl, cuda, STARPU_MULTIPLE_CUDA_IMPLEMENTATIONS);
    TAKE_OLD_NAME(cl, opencl, STARPU_MULTIPLE_OPENCL_IMPLEMENTATIONS);
    if (!cl->where)
        cl->where = (uint32_t)((HAS_ANY(cl, cpu) ? STARPU_CPU : 0) |
                               (HAS_ANY(cl, cuda) ? STARPU_CUDA : 0) |
                               (HAS_ANY(cl, opencl) ? STARPU_OPENCL : 0));
    cl->checked = 1;
}

uint32_t sp_task_where(const struct starpu_task *task)
{
    if (task->where != -1)
        return (uint32_t)task->where;
    sp_codelet_check(task->cl);
    return task->cl->where;
}

bool sp_task_can_execute(struct starpu_task *task, unsigned worker,
                         unsigned implementation)
{
    struct starpu_codelet *cl = task->cl;
    bool gpu = starpu_worker_get_type((int)worker) == STARPU_CUDA_WORKER;
    if (!(sp_task_where(task) & (gpu ? STARPU_CUDA : STARPU_CPU)))
        return false;
    if (gpu ? !cl->cuda_funcs[implementation] : !cl->cpu_funcs[implementation])
        return false;
    return !cl->can_execute || cl->can_execute(worker, task, implementation);
}

bool sp_task_can_run_on(struct starpu_task *task, unsigned worker)
{
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
        if (sp_task_can_execute(task, worker, i))
            return true;
    return false;
}

bool sp_task_names_worker(const struct starpu_task *task, unsigned worker)
{
    return !task->workerids_len ||
           (worker / 32 < task->workerids_len &&
            task->workerids[worker / 32] >> worker % 32 & 1);
}

bool sp_task_is_executable(struct starpu_task *task)
{
    uint32_t where = sp_task_where(task);
    bool has_class = (where & STARPU_CUDA && sp_session.gpus) ||
                     (where & STARPU_CPU && sp_session.cpus);
    if (!has_class)
        return false;
    if (task->execute_on_a_specific_worker)
        return task->workerid < sp_session.workers &&
               sp_task_can_run_on(task, task->workerid);
    if (G_LIKELY(!task->workerids_len && !task->cl->can_execute))
        return true;
    for (unsigned w = 0; w < sp_session.workers; w++)
        if (sp_task_names_worker(task, w) && sp_task_can_run_on(task, w))
            return true;
    return false;
}

bool sp_task_blocks_driver(const struct starpu_task *task)
{
    const struct starpu_codelet *cl = task->cl;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++)
        if (cl->cuda_funcs[i])
            return !(cl->cuda_flags[i] & STARPU_CUDA_ASYNC);
    return false;
}

unsigned
starpu_worker_type_can_execute_task(enum starpu_worker_archtype worker_type,
                                    const struct starpu_task *task)
{
    return !task->cl || worker_type == STARPU_ANY_WORKER ||
           sp_task_where(task) & STARPU_WORKER_TO_MASK(worker_type);
}

int starpu_worker_can_execute_task(unsigned worker, struct starpu_task *task,
                                   unsigned implementation)
{
    return implementation < STARPU_MAXIMPLEMENTATIONS &&
           sp_task_names_worker(task, worker) &&
           sp_task_can_execute(task, worker, implementation);
}

/* Without a place for all of them, the first one is enough. */
int starpu_worker_can_execute_task_impl(unsigned worker,
                                        struct starpu_task *task,
                                        unsigned *implementations)
{
    unsigned all = 0;
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (starpu_worker_can_execute_task(worker, task, i))
            all |= 1u << i;
        if (all && !implementations)
            break;
    }
    if (all && implementations)
        *implementations = all;
    return all != 0;
}

int starpu_worker_can_execute_task_first_impl(unsigned worker,
                                              struct starpu_task *task,
                                              unsigned *implementation)
{
    for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; i++) {
        if (!starpu_worker_can_execute_task(worker, task, i))
            continue;
        if (implementation)
            *implementation = i;
        return 1;
    }
    return 0;
}

int starpu_combined_worker_can_execute_task(unsigned workerid,
                                            struct starpu_task *task,
                                            unsigned nimpl)
{
    return sp_task_can_execute(task, workerid, nimpl);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/task/job.h"

#include "apps/starpu/base/error.h"
#include "apps/starpu/base/policy.h"
#include "apps/starpu/codelet/codelet.h"

#include <starpu.h>

#include <stdlib.h>
#include <string.h>

struct starpu_task *sp_current_task;

static struct sp_job *to_free; /* by sp_task_free_later() */
static uint64_t last_tag;

/* A task that the library allocates, with its job. */
struct task_block {
    struct starpu_task task;
    struct sp_job job;
};

uint64_t sp_new_tag(void)
{
    return ++last_tag;
}

uint64_t sp_job_tag(struct sp_job *job)
{
    if (!job->tag)
        job->tag = sp_new_tag();
    return job->tag;
}

void sp_add_tag(GArray **tags, uint64_t tag)
{
    if (!*tags)
        *tags = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    g_array_append_val(*tags, tag);
}

/* A task that the program has copied has the job of the original. */
struct sp_job *sp_job_of(struct starpu_task *task)
{
    struct sp_job *job = task->starpu_private;
    if (job && job->task == task)
        return job;
    job = g_new0(struct sp_job, 1);
    job->task = task;
    task->starpu_private = job;
    return job;
}

static bool is_in_block(const struct starpu_task *task)
{
    return task->starpu_private == &((const struct task_block *)task)->job;
}

void starpu_task_init(struct starpu_task *task)
{
    memset(task, 0, sizeof(*task));
    task->where = -1;
    task->sequential_consistency = 1;
    task->detach = 1;
    task->magic = 42;
    task->sched_ctx = STARPU_NMAX_SCHED_CTXS;
    task->predicted = task->predicted_transfer = task->predicted_start = NAN;
}

struct starpu_task *starpu_task_create(void)
{
    struct task_block *block = malloc(sizeof(*block));
    if (!block)
        g_error("out of memory");
    starpu_task_init(&block->task);
    block->job = (struct sp_job){.task = &block->task};
    block->task.starpu_private = &block->job;
    block->task.destroy = 1;
    return &block->task;
}

struct starpu_task *sp_task_new_unseen(void)
{
    struct starpu_task *task = starpu_task_create();
    sp_job_of(task)->unseen = true;
    return task;
}

static void clear_job(struct sp_job *job)
{
    g_clear_pointer(&job->wait_tags, g_array_unref);
    g_clear_pointer(&job->end_tags, g_array_unref);
}

void starpu_task_clean(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_clean()");
    task->magic = 0;
    free(task->profiling_info);
    task->profiling_info = NULL;
    if (task->bundle)
        starpu_task_bundle_remove(task->bundle, task);
    if (task->dyn_handles) {
        free(task->dyn_handles);
        free(task->dyn_interfaces);
        task->dyn_handles = NULL;
        task->dyn_interfaces = NULL;
    }
    free(task->dyn_modes);
    free(task->dyn_nodes);
    task->dyn_modes = NULL;
    task->dyn_nodes = NULL;
    struct sp_job *job = task->starpu_private;
    if (!job || job->task != task)
        return;
    clear_job(job);
    if (!is_in_block(task))
        g_free(job);
    task->starpu_private = NULL;
}

/* The memory of tasks that were destroyed last stays, so that a program that
 * still uses one gets a message. */
static void free_later(struct starpu_task *task)
{
    static struct starpu_task *destroyed[64];
    static unsigned next;
    task->magic = SP_TASK_DESTROYED;
    free(destroyed[next]);
    destroyed[next] = task;
    next = (next + 1) % G_N_ELEMENTS(destroyed);
}

void sp_task_free(struct starpu_task *task)
{
    if (task == sp_current_task) {
        sp_job_of(task)->destroy_wanted = true;
        return;
    }
    const struct sp_job *job = task->starpu_private;
    bool stays = is_in_block(task) && !job->unseen;
    starpu_task_clean(task);
    if (task->cl_arg_free)
        free(task->cl_arg);
    if (task->cl_ret_free)
        free(task->cl_ret);
    if (task->soon_callback_arg_free)
        free(task->soon_callback_arg);
    if (task->callback_arg_free)
        free(task->callback_arg);
    if (task->epilogue_callback_arg_free)
        free(task->epilogue_callback_arg);
    if (task->prologue_callback_arg_free)
        free(task->prologue_callback_arg);
    if (task->prologue_callback_pop_arg_free)
        free(task->prologue_callback_pop_arg);
    if (stays)
        free_later(task);
    else
        free(task);
}

void sp_task_free_later(struct starpu_task *task)
{
    struct sp_job *job = sp_job_of(task);
    job->next = to_free;
    to_free = job;
}

void sp_tasks_free_waiting(void)
{
    while (to_free) {
        struct sp_job *job = to_free;
        to_free = job->next;
        sp_task_free(job->task);
    }
}

void starpu_task_destroy(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_destroy()");
    if (sp_policy_asks(task))
        sp_fail("starpu_task_destroy()",
                "a policy cannot destroy a task that it was given");
    if (task->destroy && task->detach && sp_job_of(task)->state != SP_JOB_NEW)
        sp_fail("starpu_task_destroy()",
                "a task with destroy = 1 and detach = 1 is destroyed when it "
                "has ended");
    sp_task_free(task);
}

void starpu_task_set_destroy(struct starpu_task *task)
{
    static const char call[] = "starpu_task_set_destroy()";
    sp_task_need(task, call);
    struct sp_job *job = sp_job_of(task);
    if (task->destroy)
        sp_fail(call, "the task has destroy = 1");
    if (job->state == SP_JOB_ENDED)
        sp_task_free(task);
    else
        task->destroy = 1;
}

struct starpu_task *starpu_task_dup(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_dup()");
    struct starpu_task *copy = starpu_task_create();
    void *job = copy->starpu_private;
    *copy = *task;
    copy->starpu_private = job;
    return copy;
}

static struct starpu_codelet sync_codelet = {
    .where = STARPU_NOWHERE,
    .nbuffers = STARPU_VARIABLE_NBUFFERS,
};

struct starpu_task *starpu_task_create_sync(starpu_data_handle_t handle,
                                            enum starpu_data_access_mode mode)
{
    struct starpu_task *task = starpu_task_create();
    task->cl = &sync_codelet;
    task->nbuffers = 1;
    task->handles[0] = handle;
    task->modes[0] = mode;
    return task;
}

static void no_work(void *buffers[], void *arg)
{
    (void)buffers;
    (void)arg;
}

struct starpu_codelet starpu_codelet_nop = {
    .cpu_funcs = {no_work},
    .cuda_funcs = {no_work},
    .opencl_funcs = {no_work},
    .cpu_funcs_name = {"no_work"},
};

void starpu_codelet_init(struct starpu_codelet *cl)
{
    memset(cl, 0, sizeof(*cl));
}

struct starpu_task *starpu_task_get_current(void)
{
    return sp_current_task;
}

unsigned long starpu_task_get_job_id(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_get_job_id()");
    const struct sp_job *job = sp_job_of(task);
    return job->state == SP_JOB_NEW ? 0 : job->number + 1;
}

void starpu_task_set_implementation(struct starpu_task *task, unsigned impl)
{
    if (impl >= STARPU_MAXIMPLEMENTATIONS)
        sp_fail("starpu_task_set_implementation()",
                "implementation %u: expected less than %d", impl,
                STARPU_MAXIMPLEMENTATIONS);
    sp_task_need(task, "starpu_task_set_implementation()");
    sp_job_of(task)->implementation = (uint8_t)impl;
}

unsigned starpu_task_get_implementation(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_get_implementation()");
    return sp_job_of(task)->implementation;
}

/* Kernels are executed on the copies in RAM. */
int starpu_task_get_current_data_node(unsigned i)
{
    if (!sp_current_task)
        return -1;
    if (i >= STARPU_TASK_GET_NBUFFERS(sp_current_task))
        sp_fail("starpu_task_get_current_data_node()",
                "datum %u: the task has %d", i,
                (int)STARPU_TASK_GET_NBUFFERS(sp_current_task));
    return STARPU_MAIN_RAM;
}

const char *starpu_task_get_name(struct starpu_task *task)
{
    sp_task_need(task, "starpu_task_get_name()");
    if (task->name)
        return task->name;
    return task->cl && task->cl->name ? task->cl->name
                                      : starpu_task_get_model_name(task);
}

const char *starpu_task_get_model_name(struct starpu_task *task)
{
    if (!task || !task->cl)
        return NULL;
    return task->cl->model && task->cl->model->symbol ? task->cl->model->symbol
                                                      : task->cl->name;
}

char *starpu_task_status_get_as_string(enum starpu_task_status status)
{
    static const char *const names[] = {
        [STARPU_TASK_INIT] = "STARPU_TASK_INIT",
        [STARPU_TASK_BLOCKED] = "STARPU_TASK_BLOCKED",
        [STARPU_TASK_READY] = "STARPU_TASK_READY",
        [STARPU_TASK_RUNNING] = "STARPU_TASK_RUNNING",
        [STARPU_TASK_FINISHED] = "STARPU_TASK_FINISHED",
        [STARPU_TASK_BLOCKED_ON_TAG] = "STARPU_TASK_BLOCKED_ON_TAG",
        [STARPU_TASK_BLOCKED_ON_TASK] = "STARPU_TASK_BLOCKED_ON_TASK",
        [STARPU_TASK_BLOCKED_ON_DATA] = "STARPU_TASK_BLOCKED_ON_DATA",
        [STARPU_TASK_STOPPED] = "STARPU_TASK_STOPPED",
    };
    return (char *)((unsigned)status < G_N_ELEMENTS(names)
                        ? names[status]
                        : "STARPU_TASK_unknown_status");
}

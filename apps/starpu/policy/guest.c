/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/policy/guest.h"

#include <orrery.h>

#include "apps/starpu/base/policy.h"
#include "apps/starpu/base/session.h"
#include "apps/starpu/base/threads.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/data/handle_state.h"
#include "apps/starpu/task/job.h"

#include <starpu_perfmodel.h>
#include <starpu_scheduler.h>

/* A kernel of the run as a codelet. */
struct kernel {
    struct starpu_codelet codelet;
    struct starpu_perfmodel model;
    char *name;
};

static struct {
    bool exists;
    GHashTable *kernels; /* struct kernel by name and classes of workers */
    GPtrArray *handles;  /* starpu_data_handle_t by number; NULL: not yet */
    GPtrArray *masks;    /* members workerids of tasks, owned */
} guest;

bool sp_guest_exists(void)
{
    return guest.exists;
}

static void free_kernel(gpointer data)
{
    struct kernel *kernel = data;

    g_free(kernel->name);
    g_free(kernel);
}

/* In a program, its policy begins before its run is complete. */
void sp_guest_begin(struct orr_sched *sched)
{
    guest.exists = !sp_session.begins;
    sp_session.run = orr_sched_run(sched);
    sp_session.is_guest = guest.exists;
    sp_session_count_workers();
    guest.kernels =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_kernel);
    guest.handles = g_ptr_array_new();
    guest.masks = g_ptr_array_new_with_free_func(g_free);
    if (guest.exists)
        sp_threads_begin();
}

void sp_guest_end(void)
{
    g_ptr_array_unref(guest.handles);
    g_ptr_array_unref(guest.masks);
    g_hash_table_unref(guest.kernels);
    if (!guest.exists)
        return;
    sp_handles_end();
    sp_threads_end("the end of a run");
    guest.exists = false;
    sp_session = (struct sp_session){.run = NULL};
}

/* ---- kernels ---- */

static void no_work(void *buffers[], void *arg)
{
    (void)buffers;
    (void)arg;
}

static struct kernel *make_kernel(const char *name, uint32_t where)
{
    struct kernel *kernel = g_new0(struct kernel, 1);

    kernel->name = g_strdup(name);
    kernel->model.type = STARPU_HISTORY_BASED;
    kernel->model.symbol = kernel->name;
    kernel->codelet = (struct starpu_codelet){
        .name = kernel->name,
        .model = &kernel->model,
        .where = where,
        .nbuffers = STARPU_VARIABLE_NBUFFERS,
        .cpu_funcs = {where & STARPU_CPU ? no_work : NULL},
        .cuda_funcs = {where & STARPU_CUDA ? no_work : NULL},
        .cuda_flags = {STARPU_CUDA_ASYNC},
    };
    return kernel;
}

/* The classes of workers that can run @ready. */
static uint32_t where_of(const struct orr_task *ready)
{
    uint32_t where = 0;

    for (unsigned w = 0; w < sp_session.workers; w++)
        if (orr_sched_can_run(sp_policy.sched, ready, w))
            where |= w < sp_session.gpus ? STARPU_CUDA : STARPU_CPU;
    return where;
}

static struct starpu_codelet *codelet_of(const struct orr_task *ready)
{
    uint32_t where = where_of(ready);
    g_autofree char *key = g_strdup_printf("%u %s", where, ready->kernel);
    struct kernel *kernel = g_hash_table_lookup(guest.kernels, key);

    if (!kernel) {
        kernel = make_kernel(ready->kernel, where);
        g_hash_table_insert(guest.kernels, g_steal_pointer(&key), kernel);
    }
    return &kernel->codelet;
}

/* The workers of these classes that cannot run @ready are named by bits. */
static void name_workers(struct starpu_task *task, const struct orr_task *ready)
{
    static const unsigned bits = 32;
    unsigned words = (sp_session.workers + bits - 1) / bits;
    bool all = true;

    for (unsigned w = 0; w < sp_session.workers; w++)
        all = all && (orr_sched_can_run(sp_policy.sched, ready, w) ==
                      starpu_worker_can_execute_task(w, task, 0));
    if (all)
        return;
    task->workerids = g_new0(uint32_t, words);
    g_ptr_array_add(guest.masks, task->workerids);
    task->workerids_len = words;
    for (unsigned w = 0; w < sp_session.workers; w++)
        if (orr_sched_can_run(sp_policy.sched, ready, w))
            task->workerids[w / bits] |= 1u << w % bits;
}

/* ---- data ---- */

static starpu_data_handle_t make_handle(uint64_t number)
{
    starpu_data_handle_t handle =
        sp_handle_new(&starpu_interface_variable_ops, STARPU_MAIN_RAM);
    struct starpu_variable_interface *interface = handle->ram;

    handle->data = orr_run_datum(sp_session.run, number);
    *interface = (struct starpu_variable_interface){
        .id = STARPU_VARIABLE_INTERFACE_ID,
        .elemsize = orr_data_bytes(handle->data),
    };
    *(struct starpu_variable_interface *)handle->elsewhere = *interface;
    sp_handle_measure(handle);
    return handle;
}

/* A number may be of another datum once the first one is unregistered. */
static starpu_data_handle_t handle_of(uint64_t number)
{
    starpu_data_handle_t *handle, own;

    if (!guest.exists) {
        own = sp_handle_of_datum(orr_run_datum(sp_session.run, number));
        return own ? own : make_handle(number);
    }
    if (guest.handles->len <= number)
        g_ptr_array_set_size(guest.handles, (gint)number + 1);
    handle = (starpu_data_handle_t *)&guest.handles->pdata[number];
    if (!*handle)
        *handle = make_handle(number);
    return *handle;
}

static enum starpu_data_access_mode
mode_of(const struct orr_task_access *access)
{
    return (access->reads ? STARPU_R : 0) | (access->writes ? STARPU_W : 0);
}

/* Arrays of the task if there are many, as in a program. */
static void add_data(struct starpu_task *task, const struct orr_task *ready)
{
    struct orr_task_access access;
    starpu_data_handle_t *handles;
    enum starpu_data_access_mode *modes;
    unsigned count = 0;

    while (orr_sched_access(sp_policy.sched, ready, count, &access))
        count++;
    task->nbuffers = (int)count;
    if (count > STARPU_NMAXBUFS) {
        task->dyn_handles = calloc(count, sizeof(starpu_data_handle_t));
        task->dyn_modes = calloc(count, sizeof(enum starpu_data_access_mode));
    }
    handles = task->dyn_handles ? task->dyn_handles : task->handles;
    modes = task->dyn_modes ? task->dyn_modes : task->modes;
    for (unsigned i = 0; i < count; i++) {
        orr_sched_access(sp_policy.sched, ready, i, &access);
        handles[i] = handle_of(access.datum);
        modes[i] = mode_of(&access);
    }
}

struct starpu_task *sp_guest_task(struct orr_task *ready)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = codelet_of(ready);
    task->where = (int32_t)task->cl->where;
    task->priority = ready->priority;
    task->name = task->cl->name;
    task->sched_ctx = 0;
    sp_job_of(task)->free_when_done = true;
    add_data(task, ready);
    name_workers(task, ready);
    return task;
}

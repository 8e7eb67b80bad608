/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/data/handle.h"
#include "apps/starpu/model/model.h"
#include "apps/starpu/task/submit.h"

#include <starpu.h>

#include <inttypes.h>

/* Copies from datum to datum, by tasks that take no time but for their data. */

static void copy(void *buffers[], void *argument)
{
    sp_interface_copy(argument, buffers[1], buffers[0]);
}

static struct starpu_codelet copier = {
    .cpu_funcs = {copy},
    .cuda_funcs = {copy},
    .nbuffers = 2,
    .modes = {STARPU_W, STARPU_R},
    .model = &sp_no_time,
    .name = "data_cpy",
};

/* Kinds of the program may have sizes that change. */
static void check_size(starpu_data_handle_t to, starpu_data_handle_t from,
                       const char *call)
{
    if (starpu_data_get_interface_id(from) >= STARPU_MAX_INTERFACE_ID ||
        sp_handle_size(from) <= sp_handle_size(to))
        return;
    g_autofree char *name = g_strdup(sp_handle_name(from));
    sp_fail(call, "%s has %" PRIu64 " bytes, but %s %" PRIu64, name,
            sp_handle_size(from), sp_handle_name(to), sp_handle_size(to));
}

static int copy_data(starpu_data_handle_t to, starpu_data_handle_t from,
                     bool asynchronous, void (*callback)(void *),
                     void *argument, int priority, const char *call)
{
    (void)sp_handle_data(to, call);
    (void)sp_handle_data(from, call);
    if (to == from) {
        if (callback)
            callback(argument);
        return 0;
    }
    if (starpu_data_get_interface_id(to) !=
        starpu_data_get_interface_id(from)) {
        g_autofree char *name = g_strdup(sp_handle_name(from));
        sp_fail(call, "%s and %s are of different kinds", name,
                sp_handle_name(to));
    }
    check_size(to, from, call);
    struct starpu_task *task = starpu_task_create();
    task->cl = &copier;
    task->cl_arg = starpu_data_get_interface_ops(to);
    task->priority = priority;
    task->callback_func = callback;
    task->callback_arg = argument;
    task->handles[0] = to;
    task->handles[1] = from;
    task->synchronous = !asynchronous;
    sp_job_of(task)->unseen = true;
    if (sp_task_submit(task, call))
        sp_fail(call, "no worker can copy data");
    return 0;
}

int starpu_data_cpy_priority(starpu_data_handle_t to, starpu_data_handle_t from,
                             int asynchronous, void (*callback)(void *),
                             void *argument, int priority)
{
    return copy_data(to, from, asynchronous, callback, argument, priority,
                     "starpu_data_cpy_priority()");
}

int starpu_data_cpy(starpu_data_handle_t to, starpu_data_handle_t from,
                    int asynchronous, void (*callback)(void *), void *argument)
{
    return copy_data(to, from, asynchronous, callback, argument,
                     STARPU_DEFAULT_PRIO, "starpu_data_cpy()");
}

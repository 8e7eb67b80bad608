/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/base/error.h"
#include "apps/starpu/codelet/codelet.h"

#include <starpu_scheduler.h>
#include <starpu_task.h>

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

/* Tasks that a program groups. Policies do not know of it. */
struct _starpu_task_bundle {
    GPtrArray *tasks;
    bool closed;
};

void starpu_task_bundle_create(starpu_task_bundle_t *bundle)
{
    *bundle = g_new0(struct _starpu_task_bundle, 1);
    (*bundle)->tasks = g_ptr_array_new();
}

static void free_if_over(starpu_task_bundle_t bundle)
{
    if (!bundle->closed || bundle->tasks->len)
        return;
    g_ptr_array_unref(bundle->tasks);
    g_free(bundle);
}

int starpu_task_bundle_insert(starpu_task_bundle_t bundle,
                              struct starpu_task *task)
{
    static bool warned;
    sp_task_need(task, "starpu_task_bundle_insert()");
    if (bundle->closed || task->bundle)
        return -EPERM;
    if (task->status != STARPU_TASK_INIT)
        return -EINVAL;
    if (!warned)
        sp_warn("bundles of tasks are kept, but policies ignore them");
    warned = true;
    g_ptr_array_add(bundle->tasks, task);
    task->bundle = bundle;
    return 0;
}

int starpu_task_bundle_remove(starpu_task_bundle_t bundle,
                              struct starpu_task *task)
{
    if (!g_ptr_array_remove(bundle->tasks, task))
        return -ENOENT;
    task->bundle = NULL;
    free_if_over(bundle);
    return 0;
}

void starpu_task_bundle_close(starpu_task_bundle_t bundle)
{
    bundle->closed = true;
    free_if_over(bundle);
}

/* Tasks without a calibration count as if they took no time. */
double starpu_task_bundle_expected_length(starpu_task_bundle_t bundle,
                                          struct starpu_perfmodel_arch *arch,
                                          unsigned nimpl)
{
    double sum = 0;
    for (guint i = 0; i < bundle->tasks->len; i++) {
        double us =
            starpu_task_expected_length(bundle->tasks->pdata[i], arch, nimpl);
        sum += us > 0 ? us : 0;
    }
    return sum;
}

/* Data that several tasks read come once. */
double
starpu_task_bundle_expected_data_transfer_time(starpu_task_bundle_t bundle,
                                               unsigned memory_node)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    double sum = 0;
    for (guint i = 0; i < bundle->tasks->len; i++) {
        struct starpu_task *task = bundle->tasks->pdata[i];
        for (unsigned b = 0; task->cl && b < sp_task_buffers(task); b++) {
            starpu_data_handle_t handle = sp_task_handle(task, b);
            enum starpu_data_access_mode mode = sp_task_mode(task, b);
            if (mode & STARPU_R && g_hash_table_add(seen, handle))
                sum += starpu_data_expected_transfer_time(handle, memory_node,
                                                          mode);
        }
    }
    return sum;
}

double starpu_task_bundle_expected_energy(starpu_task_bundle_t bundle,
                                          struct starpu_perfmodel_arch *arch,
                                          unsigned nimpl)
{
    double sum = 0;
    for (guint i = 0; i < bundle->tasks->len; i++) {
        double joules =
            starpu_task_expected_energy(bundle->tasks->pdata[i], arch, nimpl);
        sum += joules > 0 ? joules : 0;
    }
    return sum;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/starpu/queue/ready.h"

#include "apps/starpu/codelet/codelet.h"

#include <schedulers/starpu_scheduler_toolbox.h>

#include <stdint.h>

/* What a task lacks to start on a worker. */
struct lack {
    size_t invalid, unstarted, unallocated; /* bytes */
};

/* The node where datum @i of @task is accessed by @worker; -1: nowhere. A datum
 * that may be accessed on several is taken to be accessed on the one of
 * @worker, as it is when the task runs. */
static int node_of(const struct starpu_task *task, unsigned i, unsigned worker)
{
    int node = task->cl->specific_nodes ? STARPU_TASK_GET_NODE(task, i)
                                        : STARPU_SPECIFIC_NODE_LOCAL;

    if (node >= 0)
        return node;
    if (node == STARPU_SPECIFIC_NODE_NONE)
        return -1;
    return node == STARPU_SPECIFIC_NODE_CPU
               ? STARPU_MAIN_RAM
               : (int)starpu_worker_get_memory_node(worker);
}

/* As node_of(); -1, too, if datum @i has no content that matters. */
static int content_node(const struct starpu_task *task, unsigned i,
                        unsigned worker)
{
    return sp_task_mode(task, i) & (STARPU_SCRATCH | STARPU_REDUX)
               ? -1
               : node_of(task, i, worker);
}

static unsigned buffers_of(const struct starpu_task *task)
{
    return task->cl ? sp_task_buffers(task) : 0;
}

int starpu_st_non_ready_buffers_count(struct starpu_task *task, unsigned worker)
{
    int count = 0;

    for (unsigned i = 0; i < buffers_of(task); i++) {
        int node = content_node(task, i, worker), valid = 1;
        if (node >= 0)
            starpu_data_query_status(sp_task_handle(task, i), node, NULL,
                                     &valid, NULL);
        count += !valid;
    }
    return count;
}

static struct lack lack_of(const struct starpu_task *task, unsigned worker)
{
    struct lack lack = {0, 0, 0};

    for (unsigned i = 0; i < buffers_of(task); i++) {
        int node = content_node(task, i, worker);
        int allocated = 0, valid = 0, loading = 0;
        if (node < 0)
            continue;
        starpu_data_handle_t handle = sp_task_handle(task, i);
        size_t bytes = starpu_data_get_size(handle);
        starpu_data_query_status2(handle, node, &allocated, &valid, &loading,
                                  NULL);
        bool invalid = (sp_task_mode(task, i) & STARPU_R) && !valid;
        lack.invalid += invalid ? bytes : 0;
        lack.unstarted += invalid && !loading ? bytes : 0;
        lack.unallocated += allocated ? 0 : bytes;
    }
    return lack;
}

void starpu_st_non_ready_buffers_size(struct starpu_task *task, unsigned worker,
                                      size_t *non_ready, size_t *non_loading,
                                      size_t *non_allocated)
{
    struct lack lack = lack_of(task, worker);

    *non_ready = lack.invalid;
    *non_loading = lack.unstarted;
    *non_allocated = lack.unallocated;
}

/* Below 0: @left lacks less than @right. */
static int compare(const struct lack *left, const struct lack *right)
{
    if (left->invalid != right->invalid)
        return left->invalid < right->invalid ? -1 : 1;
    if (left->unstarted != right->unstarted)
        return left->unstarted < right->unstarted ? -1 : 1;
    if (left->unallocated != right->unallocated)
        return left->unallocated < right->unallocated ? -1 : 1;
    return 0;
}

struct starpu_task *sp_ready_best(struct starpu_task *first, unsigned worker,
                                  bool any_priority)
{
    struct starpu_task *best = first;
    struct lack least = {SIZE_MAX, SIZE_MAX, SIZE_MAX};

    for (struct starpu_task *task = first; task; task = task->next) {
        if (!any_priority && task->priority < first->priority)
            continue;
        struct lack lack = lack_of(task, worker);
        int order = compare(&lack, &least);
        bool nothing =
            lack.invalid == 0 && lack.unallocated == 0 && least.invalid > 0;
        if (order < 0 ||
            (order == 0 && any_priority && task->priority > best->priority)) {
            least = lack;
            best = task;
        }
        if (nothing)
            break;
    }
    return best;
}

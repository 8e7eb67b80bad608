/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collections of workers: a list, in the order in which workers were added. */
#include "apps/starpu/base/error.h"

#include <starpu_worker.h>

#include <stdbool.h>
#include <string.h>

static void init(struct starpu_worker_collection *workers)
{
    workers->workerids = g_new(int, STARPU_NMAXWORKERS);
    memset(workers->workerids, -1, STARPU_NMAXWORKERS * sizeof(int));
    memset(workers->present, 0, sizeof(workers->present));
    workers->nworkers = 0;
}

static void deinit(struct starpu_worker_collection *workers)
{
    g_clear_pointer(&workers->workerids, g_free);
    workers->nworkers = 0;
}

/* Returns @worker; -1: it was there before. */
static int add(struct starpu_worker_collection *workers, int worker)
{
    if (worker < 0 || worker >= STARPU_NMAXWORKERS)
        sp_fail("starpu_worker_collection.add()", "there is no worker %d",
                worker);
    if (workers->present[worker])
        return -1;
    workers->present[worker] = 1;
    workers->workerids[workers->nworkers++] = worker;
    return worker;
}

/* Returns @worker; -1: it was not there. The first worker gets the place before
 * the one that is removed, as in StarPU. */
static int take_out(struct starpu_worker_collection *workers, int worker)
{
    if (worker < 0 || worker >= STARPU_NMAXWORKERS || !workers->present[worker])
        return -1;
    int *ids = workers->workerids, first = ids[0];
    unsigned i = 0;
    for (; ids[i] != worker; i++)
        ids[i] = ids[i + 1];
    if (i > 0)
        ids[i - 1] = first;
    workers->nworkers--;
    memmove(&ids[i], &ids[i + 1], (workers->nworkers - i) * sizeof(int));
    ids[workers->nworkers] = -1;
    workers->present[worker] = 0;
    return worker;
}

static void begin(struct starpu_worker_collection *workers,
                  struct starpu_sched_ctx_iterator *it)
{
    (void)workers;
    it->cursor = 0;
    it->possibly_parallel = -1;
}

static void begin_for_task(struct starpu_worker_collection *workers,
                           struct starpu_sched_ctx_iterator *it,
                           struct starpu_task *task)
{
    (void)task;
    begin(workers, it);
}

static bool has_more(const struct starpu_worker_collection *workers,
                     const struct starpu_sched_ctx_iterator *it)
{
    return it->cursor >= 0 && (unsigned)it->cursor < workers->nworkers;
}

/* At the end, the iterator is at the begin again. */
static unsigned has_next(struct starpu_worker_collection *workers,
                         struct starpu_sched_ctx_iterator *it)
{
    bool more = has_more(workers, it);

    if (!more)
        it->cursor = 0;
    return more;
}

static int get_next(struct starpu_worker_collection *workers,
                    struct starpu_sched_ctx_iterator *it)
{
    if (!has_more(workers, it))
        sp_fail("starpu_worker_collection.get_next()",
                "the collection has no further worker");
    return workers->workerids[it->cursor++];
}

#define FUNCTIONS                                                              \
    .has_next = has_next, .get_next = get_next, .add = add,                    \
    .remove = take_out, .init = init, .deinit = deinit,                        \
    .init_iterator = begin, .init_iterator_for_parallel_tasks = begin_for_task
struct starpu_worker_collection starpu_worker_list = {
    .type = STARPU_WORKER_LIST, FUNCTIONS};
/* Without levels of the machine, as in StarPU without hwloc. */
struct starpu_worker_collection starpu_worker_tree = {
    .type = STARPU_WORKER_TREE, FUNCTIONS};

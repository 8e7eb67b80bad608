/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mst: tasks in the order in which Prim's algorithm adds them to a spanning
 * tree of the most shared data. The weight of an edge is the number of data
 * that two tasks share. (Gonthier, Marchal, Thibault: Locality-aware scheduling
 * of independent tasks for runtime systems, COLOC 2021.)
 *
 * StarPU fills only half of the matrix of weights: an edge counts from the task
 * with the lower index alone. So it is here.
 */
#include "apps/starpu/memory/memory.h"

#include "apps/starpu/memory/collect.h"

#include <glib.h>

#include <stdbool.h>

static uint64_t one(starpu_data_handle_t handle)
{
    (void)handle;
    return 1;
}

/* The first task with the heaviest edge to the tree. */
static unsigned find_next(const uint64_t *edges, const bool *in_tree,
                          unsigned count)
{
    unsigned best = 0;
    while (in_tree[best])
        best++;
    for (unsigned i = best + 1; i < count; i++)
        if (!in_tree[i] && edges[i] > edges[best])
            best = i;
    return best;
}

static void grow_tree(struct starpu_task **tasks, unsigned count,
                      unsigned *order, unsigned *ends)
{
    (void)ends;
    uint64_t *edges = g_new0(uint64_t, count);
    bool *in_tree = g_new0(bool, count);
    for (unsigned n = 0; n < count; n++) {
        unsigned added = find_next(edges, in_tree, count);
        in_tree[added] = true;
        order[n] = added;
        for (unsigned i = added + 1; i < count; i++)
            if (!in_tree[i])
                edges[i] =
                    MAX(edges[i], sp_tasks_share(tasks[added], tasks[i], one));
    }
    g_free(in_tree);
    g_free(edges);
}

struct starpu_sched_component *
sp_component_mst_create(struct starpu_sched_tree *tree, void *params)
{
    (void)params;
    return sp_component_collect_create(tree, "mst", grow_tree, 1);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cuthillmckee: tasks in the order of Cuthill and McKee, which brings the
 * non-zeroes of a matrix near its diagonal: here tasks that share data near to
 * each other. The weight of an edge is the number of bytes that two tasks
 * share, and one for each datum. It starts from the task with the least weight,
 * then adds the neighbours of each task, the lightest edge first.
 * (Gonthier, Marchal, Thibault: Locality-aware scheduling of independent tasks
 * for runtime systems, COLOC 2021.)
 */
#include "apps/starpu/memory/memory.h"

#include "apps/starpu/memory/collect.h"

#include <glib.h>

#include <stdbool.h>
#include <stdlib.h>

struct neighbour {
    unsigned task;
    uint64_t weight;
};

/* What is being ordered. */
struct walk {
    struct starpu_task **tasks;
    unsigned count;
    unsigned *order, found; /* the first @found of the order are known */
    bool *is_found;
    uint64_t *weights; /* of the edges of each task */
};

static uint64_t bytes_and_one(starpu_data_handle_t handle)
{
    return starpu_data_get_size(handle) + 1;
}

static int compare_weights(const void *left, const void *right)
{
    const struct neighbour *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

static void weigh(struct walk *walk)
{
    for (unsigned i = 0; i < walk->count; i++)
        for (unsigned j = i + 1; j < walk->count; j++) {
            uint64_t shared =
                sp_tasks_share(walk->tasks[i], walk->tasks[j], bytes_and_one);
            walk->weights[i] += shared;
            walk->weights[j] += shared;
        }
}

static void add(struct walk *walk, unsigned task)
{
    walk->is_found[task] = true;
    walk->order[walk->found++] = task;
}

/* There is one that has not been found. */
static unsigned find_lightest(const struct walk *walk)
{
    unsigned best = 0;
    while (walk->is_found[best])
        best++;
    for (unsigned i = best + 1; i < walk->count; i++)
        if (!walk->is_found[i] && walk->weights[i] < walk->weights[best])
            best = i;
    return best;
}

/* @neighbours has room for all tasks. */
static void add_neighbours(struct walk *walk, unsigned task,
                           struct neighbour *neighbours)
{
    unsigned count = 0;
    for (unsigned i = 0; i < walk->count; i++) {
        uint64_t shared = walk->is_found[i]
                              ? 0
                              : sp_tasks_share(walk->tasks[task],
                                               walk->tasks[i], bytes_and_one);
        if (shared > 0)
            neighbours[count++] =
                (struct neighbour){.task = i, .weight = shared};
    }
    qsort(neighbours, count, sizeof(*neighbours), compare_weights);
    for (unsigned i = 0; i < count; i++)
        add(walk, neighbours[i].task);
}

static void walk_graph(struct starpu_task **tasks, unsigned count,
                       unsigned *order, unsigned *ends)
{
    (void)ends;
    bool *is_found = g_new0(bool, count);
    uint64_t *weights = g_new0(uint64_t, count);
    struct neighbour *neighbours = g_new(struct neighbour, count);
    struct walk walk = {.tasks = tasks,
                        .count = count,
                        .order = order,
                        .is_found = is_found,
                        .weights = weights};
    weigh(&walk);
    for (unsigned i = 0; i < count; i++) {
        if (i == walk.found)
            add(&walk, find_lightest(&walk));
        add_neighbours(&walk, order[i], neighbours);
    }
    g_free(neighbours);
    g_free(weights);
    g_free(is_found);
}

static void walk_back(struct starpu_task **tasks, unsigned count,
                      unsigned *order, unsigned *ends)
{
    walk_graph(tasks, count, order, ends);
    for (unsigned i = 0; i < count / 2; i++) {
        unsigned last = order[count - 1 - i];
        order[count - 1 - i] = order[i];
        order[i] = last;
    }
}

struct starpu_sched_component *
sp_component_cuthillmckee_create(struct starpu_sched_tree *tree, void *params)
{
    bool reverse = starpu_get_env_number_default("REVERSE", 0) == 1;
    (void)params;
    return sp_component_collect_create(tree, "cuthillmckee",
                                       reverse ? walk_back : walk_graph, 1);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees of components, and the functions that a policy's table names. */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <starpu_sched_ctx.h>
#include <starpu_task.h>
#include <starpu_thread_util.h>

#include <glib.h>

#include <string.h>

static struct starpu_sched_tree *trees[STARPU_NMAX_SCHED_CTXS]; /* by context */

void sp_context_need(unsigned context, const char *call)
{
    if (context >= STARPU_NMAX_SCHED_CTXS)
        sp_fail(call, "there is no context %u", context);
}

struct starpu_sched_tree *sp_tree_need(unsigned context, const char *call)
{
    struct starpu_sched_tree *tree = starpu_sched_ctx_get_policy_data(context);
    if (!tree)
        sp_fail(call, "the data of the policy is not a tree of components: "
                      "see starpu_sched_ctx_set_policy_data()");
    return tree;
}

/* ---- the life of a tree ---- */

struct starpu_sched_tree *starpu_sched_tree_create(unsigned context)
{
    static const char call[] = "starpu_sched_tree_create()";
    sp_context_need(context, call);
    if (trees[context])
        sp_fail(call,
                "context %u has a tree: starpu_sched_tree_destroy() "
                "comes first",
                context);
    struct starpu_sched_tree *tree = g_new0(struct starpu_sched_tree, 1);
    tree->sched_ctx_id = context;
    starpu_bitmap_init(&tree->workers);
    STARPU_PTHREAD_MUTEX_INIT(&tree->lock, NULL);
    trees[context] = tree;
    return tree;
}

void starpu_sched_tree_destroy(struct starpu_sched_tree *tree)
{
    if (!tree || trees[tree->sched_ctx_id] != tree)
        sp_fail("starpu_sched_tree_destroy()", "there is no such tree");
    trees[tree->sched_ctx_id] = NULL;
    starpu_sched_component_destroy_rec(tree->root);
    sp_component_workers_destroy(tree->sched_ctx_id);
    STARPU_PTHREAD_MUTEX_DESTROY(&tree->lock);
    g_free(tree);
}

struct starpu_sched_tree *starpu_sched_tree_get(unsigned context)
{
    sp_context_need(context, "starpu_sched_tree_get()");
    return trees[context];
}

void starpu_sched_tree_deinitialize(unsigned context)
{
    starpu_sched_tree_destroy(
        sp_tree_need(context, "starpu_sched_tree_deinitialize()"));
}

void sp_trees_forget(void)
{
    for (unsigned i = 0; i < STARPU_NMAX_SCHED_CTXS; i++) {
        g_free(trees[i]);
        trees[i] = NULL;
    }
}

/* ---- workers below each component ---- */

static void update_workers(struct starpu_sched_component *component)
{
    if (starpu_sched_component_is_worker(component))
        return;
    starpu_bitmap_unset_all(&component->workers);
    for (unsigned i = 0; i < component->nchildren; i++) {
        update_workers(component->children[i]);
        starpu_bitmap_or(&component->workers, &component->children[i]->workers);
    }
    component->notify_change_workers(component);
}

void starpu_sched_tree_update_workers(struct starpu_sched_tree *tree)
{
    if (tree->root)
        update_workers(tree->root);
}

static void set_properties(struct starpu_sched_component *component)
{
    struct starpu_bitmap *workers = &component->workers_in_ctx;
    int first = starpu_bitmap_first(workers);
    component->properties = 0;
    if (first < 0)
        return;
    component->properties = STARPU_SCHED_COMPONENT_HOMOGENEOUS |
                            STARPU_SCHED_COMPONENT_SINGLE_MEMORY_NODE;
    for (int w = first; w >= 0; w = starpu_bitmap_next(workers, w)) {
        if (starpu_worker_get_type(w) != starpu_worker_get_type(first))
            component->properties &= ~STARPU_SCHED_COMPONENT_HOMOGENEOUS;
        if (starpu_worker_get_memory_node((unsigned)w) !=
            starpu_worker_get_memory_node((unsigned)first))
            component->properties &= ~STARPU_SCHED_COMPONENT_SINGLE_MEMORY_NODE;
    }
}

/* Contexts share the components of workers, which keep their own sets. */
static void update_workers_in_ctx(struct starpu_sched_component *component,
                                  struct starpu_bitmap *workers)
{
    if (starpu_sched_component_is_worker(component))
        return;
    starpu_bitmap_unset_and(&component->workers_in_ctx, &component->workers,
                            workers);
    for (unsigned i = 0; i < component->nchildren; i++)
        update_workers_in_ctx(component->children[i], workers);
    set_properties(component);
    component->notify_change_workers(component);
}

void starpu_sched_tree_update_workers_in_ctx(struct starpu_sched_tree *tree)
{
    static const char call[] = "starpu_sched_tree_update_workers_in_ctx()";
    if (tree->root)
        update_workers_in_ctx(tree->root,
                              &sp_tree_need(tree->sched_ctx_id, call)->workers);
}

/* ---- the functions of a policy ---- */

/* Calls @change for each worker while none of them schedules. */
static void change_workers(struct starpu_sched_tree *tree, int *workers,
                           unsigned count,
                           void (*change)(struct starpu_bitmap *, int))
{
    unsigned all = starpu_worker_get_count();
    STARPU_COMPONENT_MUTEX_LOCK(&tree->lock);
    for (unsigned w = 0; w < all; w++)
        starpu_worker_lock((int)w);
    for (unsigned i = 0; i < count; i++)
        change(&tree->workers, workers[i]);
    starpu_sched_tree_update_workers_in_ctx(tree);
    for (unsigned w = 0; w < all; w++)
        starpu_worker_unlock((int)w);
    STARPU_COMPONENT_MUTEX_UNLOCK(&tree->lock);
}

void starpu_sched_tree_add_workers(unsigned context, int *workers,
                                   unsigned count)
{
    change_workers(sp_tree_need(context, "starpu_sched_tree_add_workers()"),
                   workers, count, starpu_bitmap_set);
}

void starpu_sched_tree_remove_workers(unsigned context, int *workers,
                                      unsigned count)
{
    change_workers(sp_tree_need(context, "starpu_sched_tree_remove_workers()"),
                   workers, count, starpu_bitmap_unset);
}

int starpu_sched_tree_push_task(struct starpu_task *task)
{
    static const char call[] = "starpu_sched_tree_push_task()";
    struct starpu_sched_tree *tree = sp_tree_need(task->sched_ctx, call);
    if (starpu_sched_component_push_task(NULL, tree->root, task))
        sp_fail(call, "the root of the tree, %s, has refused a task",
                tree->root->name);
    return 0;
}

struct starpu_task *starpu_sched_tree_pop_task(unsigned context)
{
    unsigned worker = starpu_worker_get_id_check();
    return starpu_sched_component_pull_task(
        starpu_sched_component_worker_get(context, (int)worker), NULL);
}

static void do_schedule(struct starpu_sched_component *component)
{
    if (component->do_schedule)
        component->do_schedule(component);
    for (unsigned i = 0; i < component->nchildren; i++)
        do_schedule(component->children[i]);
}

void starpu_sched_tree_do_schedule(unsigned context)
{
    struct starpu_sched_tree *tree =
        sp_tree_need(context, "starpu_sched_tree_do_schedule()");
    if (tree->root)
        do_schedule(tree->root);
}

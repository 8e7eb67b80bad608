/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all components have: parents, children, and methods that they replace.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <glib.h>

#include <stdlib.h>
#include <string.h>

static GHashTable *components; /* that exist */

void sp_component_need(struct starpu_sched_component *component,
                       const char *call)
{
    if (!component)
        sp_fail(call, "a component is NULL");
    if (!components || !g_hash_table_contains(components, component))
        sp_fail(call, "unknown component: it has been destroyed, or "
                      "starpu_sched_component_create() has not made it");
}

void sp_component_need_queue(struct starpu_sched_component *parent,
                             struct starpu_sched_component *component)
{
    if (starpu_sched_component_is_worker(component))
        sp_fail("starpu_sched_component_push_task()",
                "component %s: its child %s has no queue", parent->name,
                component->name);
}

/* ---- lists of components ---- */

static void append(struct starpu_sched_component ***list, unsigned *count,
                   struct starpu_sched_component *component)
{
    *list =
        g_realloc_n(*list, *count + 1, sizeof(struct starpu_sched_component *));
    (*list)[(*count)++] = component;
}

/* The last one takes its place. */
static void cut(struct starpu_sched_component **list, unsigned *count,
                struct starpu_sched_component *component, const char *call)
{
    unsigned i = 0;
    while (i < *count && list[i] != component)
        i++;
    if (i == *count)
        sp_fail(call, "component %s is not there", component->name);
    list[i] = list[--*count];
}

/* Whether @component is @wanted or above it; then @path begins with the names
 * from one to the other. */
static bool leads_to(struct starpu_sched_component *component,
                     struct starpu_sched_component *wanted, GString *path)
{
    bool found = component == wanted;
    for (unsigned i = 0; i < component->nchildren && !found; i++)
        found = leads_to(component->children[i], wanted, path);
    if (found) {
        g_string_prepend(path, component->name);
        g_string_prepend(path, " > ");
    }
    return found;
}

static void check_link(struct starpu_sched_component *parent,
                       struct starpu_sched_component *child, const char *call)
{
    g_autoptr(GString) path = g_string_new(NULL);
    sp_component_need(parent, call);
    sp_component_need(child, call);
    if (starpu_sched_component_is_worker(parent))
        sp_fail(call, "component %s cannot have children", parent->name);
    if (leads_to(child, parent, path))
        sp_fail(call, "a cycle: %s%s", parent->name, path->str);
}

void starpu_sched_component_add_child(struct starpu_sched_component *component,
                                      struct starpu_sched_component *child)
{
    check_link(component, child, "starpu_sched_component_add_child()");
    append(&component->children, &component->nchildren, child);
}

static void remove_child(struct starpu_sched_component *component,
                         struct starpu_sched_component *child)
{
    cut(component->children, &component->nchildren, child, "remove_child()");
}

static void add_parent(struct starpu_sched_component *component,
                       struct starpu_sched_component *parent)
{
    append(&component->parents, &component->nparents, parent);
}

static void remove_parent(struct starpu_sched_component *component,
                          struct starpu_sched_component *parent)
{
    cut(component->parents, &component->nparents, parent, "remove_parent()");
}

void starpu_sched_component_connect(struct starpu_sched_component *parent,
                                    struct starpu_sched_component *child)
{
    check_link(parent, child, "starpu_sched_component_connect()");
    parent->add_child(parent, child);
    child->add_parent(child, parent);
}

/* ---- the life of a component ---- */

static void do_nothing(struct starpu_sched_component *component)
{
    (void)component;
}

struct starpu_sched_component *
starpu_sched_component_create(struct starpu_sched_tree *tree, const char *name)
{
    struct starpu_sched_component *component =
        g_new(struct starpu_sched_component, 1);
    *component = (struct starpu_sched_component){
        .tree = tree,
        .name = g_strdup(name),
        .add_child = starpu_sched_component_add_child,
        .remove_child = remove_child,
        .add_parent = add_parent,
        .remove_parent = remove_parent,
        .pull_task = starpu_sched_component_parents_pull_task,
        .can_push = starpu_sched_component_can_push,
        .can_pull = starpu_sched_component_can_pull,
        .estimated_load = starpu_sched_component_estimated_load,
        .estimated_end = starpu_sched_component_estimated_end_min,
        .deinit_data = do_nothing,
        .notify_change_workers = do_nothing,
    };
    starpu_bitmap_init(&component->workers);
    starpu_bitmap_init(&component->workers_in_ctx);
    if (!components)
        components = g_hash_table_new(NULL, NULL);
    g_hash_table_add(components, component);
    return component;
}

static void free_component(struct starpu_sched_component *component)
{
    g_free(component->children);
    g_free(component->parents);
    g_free(component->name);
    g_free(component);
}

static void leave_children(struct starpu_sched_component *component)
{
    for (unsigned i = 0; i < component->nchildren; i++) {
        struct starpu_sched_component *child = component->children[i];
        for (unsigned j = 0; j < child->nparents; j++)
            if (child->parents[j] == component)
                child->remove_parent(child, component);
    }
    while (component->nchildren > 0)
        component->remove_child(component, component->children[0]);
}

static void leave_parents(struct starpu_sched_component *component)
{
    for (unsigned i = 0; i < component->nparents; i++) {
        struct starpu_sched_component *parent = component->parents[i];
        for (unsigned j = 0; j < parent->nchildren; j++)
            if (parent->children[j] == component)
                parent->remove_child(parent, component);
    }
    while (component->nparents > 0)
        component->remove_parent(component, component->parents[0]);
}

void starpu_sched_component_destroy(struct starpu_sched_component *component)
{
    sp_component_need(component, "starpu_sched_component_destroy()");
    leave_children(component);
    leave_parents(component);
    component->deinit_data(component);
    g_hash_table_remove(components, component);
    free_component(component);
}

/* Workers have several parents, and are destroyed with the tree. */
void starpu_sched_component_destroy_rec(
    struct starpu_sched_component *component)
{
    if (!component || starpu_sched_component_is_worker(component))
        return;
    for (unsigned i = 0; i < component->nchildren;) {
        struct starpu_sched_component *child = component->children[i];
        /* One that is destroyed leaves the list. */
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        if (starpu_sched_component_is_worker(child))
            i++;
        else
            starpu_sched_component_destroy_rec(child);
    }
    starpu_sched_component_destroy(component);
}

void sp_components_forget(void)
{
    GHashTableIter next;
    void *component;
    if (!components)
        return;
    g_hash_table_iter_init(&next, components);
    while (g_hash_table_iter_next(&next, &component, NULL))
        free_component(component);
    g_hash_table_remove_all(components);
    sp_component_workers_forget();
    sp_trees_forget();
}

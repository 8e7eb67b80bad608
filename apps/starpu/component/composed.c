/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Several components as one: a chain, from top to bottom. Outside, its parents
 * and children see the composed component. Inside, the top has these parents,
 * and the bottom these children.
 */
#include "apps/starpu/component/component.h"

#include "apps/starpu/base/error.h"

#include <glib.h>

/* ---- recipes ---- */

struct step {
    starpu_sched_component_create_t create;
    void *argument; /* borrowed */
};

struct starpu_sched_component_composed_recipe {
    GArray *steps; /* struct step */
};

struct starpu_sched_component_composed_recipe *
starpu_sched_component_composed_recipe_create(void)
{
    struct starpu_sched_component_composed_recipe *recipe =
        g_new(struct starpu_sched_component_composed_recipe, 1);
    recipe->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
    return recipe;
}

void starpu_sched_component_composed_recipe_add(
    struct starpu_sched_component_composed_recipe *recipe,
    starpu_sched_component_create_t create, void *argument)
{
    struct step step = {create, argument};
    if (!recipe || !create)
        sp_fail("starpu_sched_component_composed_recipe_add()",
                "the %s is NULL", recipe ? "function" : "recipe");
    g_array_append_val(recipe->steps, step);
}

struct starpu_sched_component_composed_recipe *
starpu_sched_component_composed_recipe_create_singleton(
    starpu_sched_component_create_t create, void *argument)
{
    struct starpu_sched_component_composed_recipe *recipe =
        starpu_sched_component_composed_recipe_create();
    starpu_sched_component_composed_recipe_add(recipe, create, argument);
    return recipe;
}

void starpu_sched_component_composed_recipe_destroy(
    struct starpu_sched_component_composed_recipe *recipe)
{
    if (!recipe)
        return;
    g_array_unref(recipe->steps);
    g_free(recipe);
}

static struct starpu_sched_component *
create_step(struct starpu_sched_tree *tree,
            const struct starpu_sched_component_composed_recipe *recipe,
            unsigned i)
{
    const struct step *step = &g_array_index(recipe->steps, struct step, i);
    return step->create(tree, step->argument);
}

/* ---- methods ---- */

struct chain {
    struct starpu_sched_component *top, *bottom;
    void (*add_child)(struct starpu_sched_component *component,
                      struct starpu_sched_component *child);
    void (*remove_child)(struct starpu_sched_component *component,
                         struct starpu_sched_component *child);
    void (*add_parent)(struct starpu_sched_component *component,
                       struct starpu_sched_component *parent);
    void (*remove_parent)(struct starpu_sched_component *component,
                          struct starpu_sched_component *parent);
};

static void add_child(struct starpu_sched_component *component,
                      struct starpu_sched_component *child)
{
    struct chain *chain = component->data;
    chain->add_child(component, child);
    chain->bottom->add_child(chain->bottom, child);
}

static void remove_child(struct starpu_sched_component *component,
                         struct starpu_sched_component *child)
{
    struct chain *chain = component->data;
    chain->remove_child(component, child);
    chain->bottom->remove_child(chain->bottom, child);
}

static void add_parent(struct starpu_sched_component *component,
                       struct starpu_sched_component *parent)
{
    struct chain *chain = component->data;
    chain->add_parent(component, parent);
    chain->top->add_parent(chain->top, parent);
}

static void remove_parent(struct starpu_sched_component *component,
                          struct starpu_sched_component *parent)
{
    struct chain *chain = component->data;
    chain->remove_parent(component, parent);
    chain->top->remove_parent(chain->top, parent);
}

static int push(struct starpu_sched_component *component,
                struct starpu_task *task)
{
    const struct chain *chain = component->data;
    return starpu_sched_component_push_task(component, chain->top, task);
}

static struct starpu_task *pull(struct starpu_sched_component *component,
                                struct starpu_sched_component *to)
{
    const struct chain *chain = component->data;
    (void)component;
    return starpu_sched_component_pull_task(chain->bottom, to);
}

static int can_push(struct starpu_sched_component *component,
                    struct starpu_sched_component *to)
{
    const struct chain *chain = component->data;
    return chain->bottom->can_push(chain->bottom, to);
}

static int can_pull(struct starpu_sched_component *component)
{
    const struct chain *chain = component->data;
    return chain->top->can_pull(chain->top);
}

static double estimated_load(struct starpu_sched_component *component)
{
    const struct chain *chain = component->data;
    return chain->top->estimated_load(chain->top);
}

static double estimated_end(struct starpu_sched_component *component)
{
    const struct chain *chain = component->data;
    return chain->top->estimated_end(chain->top);
}

/* The next one down the chain; NULL: @part is the last. */
static struct starpu_sched_component *below(const struct chain *chain,
                                            struct starpu_sched_component *part)
{
    return part == chain->bottom ? NULL : part->children[0];
}

static void do_schedule(struct starpu_sched_component *component)
{
    const struct chain *chain = component->data;
    for (struct starpu_sched_component *part = chain->top; part;
         part = below(chain, part))
        if (part->do_schedule)
            part->do_schedule(part);
}

static void notify_change_workers(struct starpu_sched_component *component)
{
    const struct chain *chain = component->data;
    for (struct starpu_sched_component *part = chain->top; part;
         part = below(chain, part)) {
        part->workers = component->workers;
        part->workers_in_ctx = component->workers_in_ctx;
        part->properties = component->properties;
        part->notify_change_workers(part);
    }
}

/* The links to the outside are gone. */
static void deinit_data(struct starpu_sched_component *component)
{
    struct chain *chain = component->data;
    struct starpu_sched_component *next;
    for (struct starpu_sched_component *part = chain->top; part; part = next) {
        next = below(chain, part);
        starpu_sched_component_destroy(part);
    }
    g_free(chain);
}

static struct chain *
create_chain(struct starpu_sched_tree *tree,
             const struct starpu_sched_component_composed_recipe *recipe)
{
    struct chain *chain = g_new0(struct chain, 1);
    chain->top = chain->bottom = create_step(tree, recipe, 0);
    for (unsigned i = 1; i < recipe->steps->len; i++) {
        struct starpu_sched_component *part = create_step(tree, recipe, i);
        starpu_sched_component_connect(chain->bottom, part);
        chain->bottom = part;
    }
    return chain;
}

struct starpu_sched_component *starpu_sched_component_composed_component_create(
    struct starpu_sched_tree *tree,
    struct starpu_sched_component_composed_recipe *recipe)
{
    if (!recipe || recipe->steps->len == 0)
        sp_fail("starpu_sched_component_composed_component_create()",
                "the recipe is empty");
    if (recipe->steps->len == 1)
        return create_step(tree, recipe, 0);
    struct starpu_sched_component *component =
        starpu_sched_component_create(tree, "composed");
    struct chain *chain = create_chain(tree, recipe);
    chain->add_child = component->add_child;
    chain->remove_child = component->remove_child;
    chain->add_parent = component->add_parent;
    chain->remove_parent = component->remove_parent;
    component->data = chain;
    component->add_child = add_child;
    component->remove_child = remove_child;
    component->add_parent = add_parent;
    component->remove_parent = remove_parent;
    component->push_task = push;
    component->pull_task = pull;
    component->can_push = can_push;
    component->can_pull = can_pull;
    component->estimated_load = estimated_load;
    component->estimated_end = estimated_end;
    component->do_schedule = do_schedule;
    component->notify_change_workers = notify_change_workers;
    component->deinit_data = deinit_data;
    return component;
}

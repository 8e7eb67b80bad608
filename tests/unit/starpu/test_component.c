/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Links between scheduling components, and what goes along them. */
#include "apps/starpu/component/component.h"
#include "tests/support/components.h"
#include "tests/support/ending.h"

static void a_link_is_seen_from_both_ends(void **state)
{
    struct starpu_sched_component *parent, *child;

    (void)state;
    parent = starpu_sched_component_create(NULL, "parent");
    child = starpu_sched_component_create(NULL, "child");
    starpu_sched_component_connect(parent, child);
    assert_int_equal(parent->nchildren, 1);
    assert_ptr_equal(parent->children[0], child);
    assert_int_equal(child->nparents, 1);
    assert_ptr_equal(child->parents[0], parent);
    starpu_sched_component_destroy(parent);
    assert_int_equal(child->nparents, 0);
    starpu_sched_component_destroy(child);
}

static void the_last_child_takes_the_place_of_one_that_leaves(void **state)
{
    struct starpu_sched_component *parent, *children[3];

    (void)state;
    parent = starpu_sched_component_create(NULL, "parent");
    for (unsigned i = 0; i < 3; i++) {
        children[i] = starpu_sched_component_create(NULL, "child");
        starpu_sched_component_connect(parent, children[i]);
    }
    starpu_sched_component_destroy(children[0]);
    assert_int_equal(parent->nchildren, 2);
    assert_ptr_equal(parent->children[0], children[2]);
    assert_ptr_equal(parent->children[1], children[1]);
    starpu_sched_component_destroy_rec(parent);
}

/* A diamond is no cycle: its bottom has two parents. */
static void the_whole_tree_is_destroyed_once(void **state)
{
    struct starpu_sched_component *parts[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        parts[i] = starpu_sched_component_create(NULL, "part");
    starpu_sched_component_connect(parts[0], parts[1]);
    starpu_sched_component_connect(parts[0], parts[2]);
    starpu_sched_component_connect(parts[1], parts[3]);
    starpu_sched_component_connect(parts[2], parts[3]);
    starpu_sched_component_destroy_rec(parts[0]);
    starpu_sched_component_destroy_rec(NULL);
}

static void make_a_cycle(void)
{
    struct starpu_sched_component *a, *b, *c;

    a = starpu_sched_component_create(NULL, "a");
    b = starpu_sched_component_create(NULL, "b");
    c = starpu_sched_component_create(NULL, "c");
    starpu_sched_component_connect(a, b);
    starpu_sched_component_connect(b, c);
    starpu_sched_component_connect(c, a);
}

static void make_a_circle_of_one(void)
{
    struct starpu_sched_component *a = starpu_sched_component_create(NULL, "a");

    a->add_child(a, a);
}

static void connect_what_is_gone(void)
{
    struct starpu_sched_component *a, *b;

    a = starpu_sched_component_create(NULL, "a");
    b = starpu_sched_component_create(NULL, "b");
    starpu_sched_component_destroy(b);
    starpu_sched_component_connect(a, b);
}

static void connect_nothing(void)
{
    struct starpu_sched_component *a = starpu_sched_component_create(NULL, "a");

    starpu_sched_component_connect(a, NULL);
}

static void push_to_who_cannot(void)
{
    struct starpu_sched_component *a = starpu_sched_component_create(NULL, "a");

    starpu_sched_component_push_task(NULL, a, NULL);
}

static void pump_to_two(void)
{
    struct starpu_sched_component *a = starpu_sched_component_create(NULL, "a");

    for (unsigned i = 0; i < 2; i++)
        starpu_sched_component_connect(
            a, starpu_sched_component_create(NULL, "child"));
    starpu_sched_component_pump_downstream(a, NULL);
}

static void errors_name_components(void **state)
{
    static const struct {
        void (*function)(void);
        const char *message;
    } errors[] = {
        {make_a_cycle,
         "starpu_sched_component_connect(): a cycle: c > a > b > c"},
        {make_a_circle_of_one,
         "starpu_sched_component_add_child(): a cycle: a > a"},
        {connect_what_is_gone,
         "starpu_sched_component_connect(): unknown component: it has been "
         "destroyed, or starpu_sched_component_create() has not made it"},
        {connect_nothing,
         "starpu_sched_component_connect(): a component is NULL"},
        {push_to_who_cannot,
         "starpu_sched_component_push_task(): component a has no push_task()"},
        {pump_to_two, "starpu_sched_component_pump_downstream(): component a "
                      "has 2 children, not one"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
        g_autofree char *message = orr_ending_message(errors[i].function);

        assert_string_equal(message, errors[i].message);
    }
}

static void who_can_pull_is_asked_in_order(void **state)
{
    struct stub stubs[2] = {{.room = 0}, {.room = 0}};
    struct starpu_sched_component *parent =
        starpu_sched_component_create(NULL, "parent");

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        starpu_sched_component_connect(parent, stub_new(NULL, 0, &stubs[i]));
    assert_int_equal(parent->can_pull(parent), 1);
    assert_int_equal(stubs[0].notified, 1);
    assert_int_equal(stubs[1].notified, 0);
    assert_int_equal(starpu_sched_component_can_pull_all(parent), 0);
    assert_int_equal(stubs[0].notified, 2);
    assert_int_equal(stubs[1].notified, 1);
    assert_int_equal(parent->can_push(parent, NULL), 0); /* no parents */
    starpu_sched_component_destroy_rec(parent);
}

/* Two workers end at 100 and 160 us. 40 us more are shared, as is what the
 * second has to do from 100 us on: 100 + (40 + 60) / 2. */
static void ends_of_children_are_estimated(void **state)
{
    struct stub stubs[2] = {{.end = 100, .count = 3}, {.end = 160, .count = 1}};
    struct starpu_sched_component *parent =
        starpu_sched_component_create(NULL, "parent");

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        starpu_sched_component_connect(parent,
                                       stub_new(NULL, (int)i, &stubs[i]));
    take_workers(parent);
    assert_us(parent->estimated_end(parent), 100);
    assert_us(starpu_sched_component_estimated_end_min_add(parent, 40), 150);
    assert_us(starpu_sched_component_estimated_end_average(parent), 130);
    assert_us(parent->estimated_load(parent), 4);
    starpu_sched_component_destroy_rec(parent);
}

/* On a GPU, the task takes 10 us; on the CPU 100. */
static void the_shortest_length_counts(void **state)
{
    struct stub stubs[2] = {{.room = 0}, {.room = 0}};
    struct starpu_sched_component *parent, *children[2];
    struct starpu_sched_tree *tree;
    struct starpu_task *task;
    double length = -1;

    (void)state;
    start_components("1", "1");
    tree = starpu_sched_tree_create(0);
    parent = starpu_sched_component_create(tree, "parent");
    task = flops_task(100, 0);
    for (unsigned i = 0; i < 2; i++) {
        children[i] = stub_new(tree, (int)i, &stubs[i]);
        starpu_sched_component_connect(parent, children[i]);
    }
    assert_int_equal(starpu_sched_component_can_execute_task(parent, task), 0);
    take_workers(parent);
    assert_int_equal(starpu_sched_component_can_execute_task(parent, task), 1);
    assert_int_equal(
        starpu_sched_component_execute_preds(children[1], task, &length), 1);
    assert_us(length, 100);
    assert_int_equal(
        starpu_sched_component_execute_preds(parent, task, &length), 1);
    assert_us(length, 10);
    assert_us(starpu_sched_component_transfer_length(parent, task), 0);
    starpu_sched_component_destroy_rec(parent);
    destroy_task(task);
    starpu_sched_tree_destroy(tree);
    starpu_shutdown();
}

static void forgotten_components_are_unknown(void **state)
{
    struct starpu_sched_tree *tree = starpu_sched_tree_create(0);

    (void)state;
    tree->root = starpu_sched_component_create(tree, "root");
    sp_components_forget();
    assert_null(starpu_sched_tree_get(0));
    tree = starpu_sched_tree_create(0);
    assert_ptr_equal(starpu_sched_tree_get(0), tree);
    starpu_sched_tree_destroy(tree);
}

ORR_TESTS(starpu_component)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_seen_from_both_ends),
        cmocka_unit_test(the_last_child_takes_the_place_of_one_that_leaves),
        cmocka_unit_test(the_whole_tree_is_destroyed_once),
        cmocka_unit_test(errors_name_components),
        cmocka_unit_test(who_can_pull_is_asked_in_order),
        cmocka_unit_test(ends_of_children_are_estimated),
        cmocka_unit_test(the_shortest_length_counts),
        cmocka_unit_test(forgotten_components_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

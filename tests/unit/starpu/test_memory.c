/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Components that order tasks by the data that they share. */
#include "apps/starpu/memory/memory.h"
#include "apps/starpu/memory/packing.h"
#include "tests/support/components.h"

enum { TASKS = 4, A = 0, B, C, D, DATA };

/* A is of 100 bytes, the others are of 4. */
static char contents[100];
static starpu_data_handle_t data[DATA];
static struct starpu_task *tasks[TASKS];
static struct starpu_sched_tree *tree;
static struct stub stub;

static struct starpu_task *make(const char *letters)
{
    static struct starpu_codelet codelet = {
        .cpu_funcs = {do_no_work}, .nbuffers = STARPU_VARIABLE_NBUFFERS};
    struct starpu_task *task = starpu_task_create();

    task->cl = &codelet;
    task->sched_ctx = 0;
    for (; *letters; letters++)
        task->handles[task->nbuffers++] = data[*letters - 'a'];
    return task;
}

/* The tasks access the data that @accesses names. Index 0 is the task that
 * became ready last. Below the component is a stub with @room. */
static void begin(starpu_sched_component_create_t create, unsigned room,
                  const char *const accesses[TASKS])
{
    start_components("2", "0");
    for (unsigned i = 0; i < DATA; i++)
        starpu_vector_data_register(&data[i], STARPU_MAIN_RAM,
                                    (uintptr_t)contents, i == A ? 25 : 1, 4);
    for (unsigned i = 0; i < TASKS; i++)
        tasks[i] = make(accesses[i]);
    tree = starpu_sched_tree_create(0);
    tree->root = create(tree, NULL);
    stub = (struct stub){.room = room};
    starpu_sched_component_connect(tree->root, stub_new(tree, 0, &stub));
    take_workers(tree->root);
    for (unsigned i = TASKS; i-- > 0;)
        assert_int_equal(
            starpu_sched_component_push_task(NULL, tree->root, tasks[i]), 0);
}

static void end(void)
{
    starpu_sched_tree_destroy(tree);
    for (unsigned i = 0; i < TASKS; i++)
        destroy_task(tasks[i]);
    for (unsigned i = 0; i < DATA; i++)
        starpu_data_unregister(data[i]);
    starpu_shutdown();
}

static struct starpu_task *pull(void)
{
    return starpu_sched_component_pull_task(tree->root,
                                            tree->root->children[0]);
}

static void assert_order(unsigned first, unsigned second, unsigned third,
                         unsigned fourth)
{
    const unsigned order[TASKS] = {first, second, third, fourth};

    tree->root->do_schedule(tree->root);
    for (unsigned i = 0; i < TASKS; i++)
        assert_ptr_equal(pull(), tasks[order[i]]);
    assert_null(pull());
}

/* The tree begins with task 0. Task 3 shares two data with it, task 2 one. */
static void mst_goes_on_with_the_most_shared(void **state)
{
    static const char *const accesses[] = {"ab", "cd", "ac", "ab"};

    (void)state;
    begin(sp_component_mst_create, TASKS, accesses);
    assert_order(0, 3, 2, 1);
    end();
}

/* b, which task 3 shares with task 2, does not count: 2 is less than 3. */
static void mst_counts_edges_upwards(void **state)
{
    static const char *const accesses[] = {"a", "c", "b", "ab"};

    (void)state;
    begin(sp_component_mst_create, TASKS, accesses);
    assert_order(0, 3, 1, 2);
    end();
}

/* Weights of edges: 101 between 0 and 1 (a), 5 between 0 and 2 (b) and between
 * 0 and 3 (c). Task 2 is the first of the least weight, its neighbour is 0, and
 * of the neighbours of that one 3 is lighter than 1. */
static const char *const star[] = {"abc", "a", "b", "c"};

static void cuthillmckee_visits_light_edges_first(void **state)
{
    (void)state;
    begin(sp_component_cuthillmckee_create, TASKS, star);
    assert_order(2, 0, 3, 1);
    end();
}

static void cuthillmckee_reverses(void **state)
{
    (void)state;
    g_setenv("REVERSE", "1", TRUE);
    begin(sp_component_cuthillmckee_create, TASKS, star);
    g_unsetenv("REVERSE");
    assert_order(1, 3, 0, 2);
    end();
}

/* Task 1 shares nothing. Tasks 0 and 3 share b, 2 and 3 share a. */
static void cuthillmckee_begins_again_in_each_part(void **state)
{
    static const char *const accesses[] = {"b", "d", "a", "ab"};

    (void)state;
    begin(sp_component_cuthillmckee_create, TASKS, accesses);
    assert_order(1, 0, 3, 2);
    end();
}

/* The tasks were pushed, but the application has not said so yet. */
static void nothing_is_given_before_the_decision(void **state)
{
    (void)state;
    begin(sp_component_mst_create, TASKS, star);
    assert_int_equal(stub.notified, TASKS);
    assert_null(pull());
    tree->root->do_schedule(tree->root);
    assert_int_equal(stub.notified, TASKS); /* no worker is woken */
    assert_ptr_equal(pull(), tasks[0]);
    end();
}

/* In order: 0, 1, 2, 3. The stub takes 0 and refuses 1. */
static void a_refused_task_comes_next(void **state)
{
    struct starpu_sched_component *child;

    (void)state;
    begin(sp_component_mst_create, 1, star);
    child = tree->root->children[0];
    tree->root->do_schedule(tree->root);
    assert_int_equal(tree->root->can_push(tree->root, child), 1);
    assert_ptr_equal(stub.tasks[0], tasks[0]);
    assert_ptr_equal(pull(), tasks[1]);
    assert_ptr_equal(pull(), tasks[2]);
    end();
}

/* Task 0 comes again when the others are ordered: it waits until they are gone.
 */
static void later_tasks_wait_for_the_next_decision(void **state)
{
    (void)state;
    begin(sp_component_mst_create, TASKS, star);
    tree->root->do_schedule(tree->root);
    assert_ptr_equal(pull(), tasks[0]);
    assert_int_equal(
        starpu_sched_component_push_task(NULL, tree->root, tasks[0]), 0);
    tree->root->do_schedule(tree->root);
    for (unsigned i = 1; i < TASKS; i++)
        assert_ptr_equal(pull(), tasks[i]);
    assert_null(pull());
    tree->root->do_schedule(tree->root);
    assert_ptr_equal(pull(), tasks[0]);
    end();
}

static void assert_packed(const char *const accesses[TASKS], uint64_t memory,
                          unsigned parts, const unsigned order[TASKS],
                          const unsigned ends[])
{
    unsigned got[TASKS], got_ends[3] = {TASKS, TASKS, TASKS};

    begin(sp_component_mst_create, TASKS, accesses);
    sp_pack(tasks, TASKS, memory, parts, got, got_ends);
    for (unsigned i = 0; i < TASKS; i++)
        assert_int_equal(got[i], order[i]);
    for (unsigned p = 0; p < parts; p++)
        assert_int_equal(got_ends[p], ends[p]);
    end();
}

/* Packages in the order 3, 2, 1, 0. First 3 and 0 share a, of 100 bytes; then
 * 2 and 1 are the smallest, and share b, of 4. Two packages are left. */
static void packing_merges_the_most_bytes_first(void **state)
{
    static const char *const accesses[] = {"ac", "b", "b", "a"};

    (void)state;
    assert_packed(accesses, 1000, 2, (const unsigned[]){3, 0, 2, 1},
                  (const unsigned[]){2, 4});
}

/* Then both share nothing: their tasks come one after the other. */
static void packing_ends_with_what_is_alone(void **state)
{
    static const char *const accesses[] = {"ac", "b", "b", "a"};

    (void)state;
    assert_packed(accesses, 1000, 1, (const unsigned[]){3, 0, 2, 1},
                  (const unsigned[]){4});
}

/* 3 and 2 share 100 bytes, which do not fit 50; 1 and 0 share 8. */
static void packing_heeds_the_memory(void **state)
{
    static const char *const accesses[] = {"bc", "bc", "a", "a"};

    (void)state;
    assert_packed(accesses, 50, 3, (const unsigned[]){3, 2, 1, 0},
                  (const unsigned[]){1, 2, 4});
    assert_packed(accesses, 1000, 3, (const unsigned[]){3, 2, 1, 0},
                  (const unsigned[]){2, 3, 4});
}

/* 3 and 2 merge by a, then 1 and 0 by c. The pairs share b, of the tasks 3 and
 * 0: both are reversed, so that these meet. */
static void packing_turns_packages(void **state)
{
    static const char *const accesses[] = {"bc", "c", "a", "ab"};

    (void)state;
    assert_packed(accesses, 1000, 1, (const unsigned[]){2, 3, 0, 1},
                  (const unsigned[]){4});
}

ORR_TESTS(memory_policies)
{
    const struct CMUnitTest tests_of_memory[] = {
        cmocka_unit_test(mst_goes_on_with_the_most_shared),
        cmocka_unit_test(mst_counts_edges_upwards),
        cmocka_unit_test(cuthillmckee_visits_light_edges_first),
        cmocka_unit_test(cuthillmckee_reverses),
        cmocka_unit_test(cuthillmckee_begins_again_in_each_part),
        cmocka_unit_test(nothing_is_given_before_the_decision),
        cmocka_unit_test(a_refused_task_comes_next),
        cmocka_unit_test(later_tasks_wait_for_the_next_decision),
        cmocka_unit_test(packing_merges_the_most_bytes_first),
        cmocka_unit_test(packing_ends_with_what_is_alone),
        cmocka_unit_test(packing_heeds_the_memory),
        cmocka_unit_test(packing_turns_packages),
    };

    return cmocka_run_group_tests(tests_of_memory, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dependencies by data and by edges, the order of tasks, and figures. */
#include <string.h>

#include "models/dag/dag_builder.h"
#include "models/dag/dag_dependencies.h"
#include "models/dag/dag_figures.h"
#include "tests/support/cmocka_all.h"

static struct orr_dag_builder *builder_new(enum orr_dag_order order)
{
    return orr_dag_builder_new("a.test", "test", order);
}

static uint32_t add_task(struct orr_dag_builder *builder, const char *name,
                         double flops)
{
    uint32_t number = orr_dag_define(builder, name, strlen(name), NULL);
    struct orr_dag_task *task = orr_dag_task_of(builder, number);

    task->kernel = orr_dag_kernel_of(builder, "k", 1);
    task->flops = flops;
    task->duration = (orr_time)flops * 10;
    return number;
}

static void access_datum(struct orr_dag_builder *builder, uint32_t task,
                         const char *datum, unsigned mode)
{
    uint32_t number = orr_dag_datum_of(builder, datum, strlen(datum), NULL);

    g_array_index(builder->data, struct orr_dag_datum, number).bytes = 100;
    assert_true(orr_dag_access(builder, task, number, mode, NULL));
}

static struct orr_dag *finish(struct orr_dag_builder *builder)
{
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_builder_finish(builder, &error);

    if (error)
        fail_msg("%s", error->message);
    orr_dag_builder_free(builder);
    return dag;
}

static void expect_refused(struct orr_dag_builder *builder, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(orr_dag_builder_finish(builder, &error));
    assert_string_equal(error->message, message);
    orr_dag_builder_free(builder);
}

/* A writer, two readers, a writer: 1 + 1 + 2 dependencies. */
static void test_a_writer_follows_all_readers(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_RANK);
    struct orr_dag_nodes nodes;
    struct orr_dag *dag;

    (void)state;
    access_datum(builder, add_task(builder, "w", 1), "d", ORR_DAG_WRITE);
    access_datum(builder, add_task(builder, "r1", 1), "d", ORR_DAG_READ);
    access_datum(builder, add_task(builder, "r2", 1), "d", ORR_DAG_READ);
    access_datum(builder, add_task(builder, "x", 1), "d", ORR_DAG_WRITE);
    dag = finish(builder);
    orr_dag_dependencies(dag, ORR_DAG_FLOW, &nodes);
    assert_int_equal(nodes.count, 4);
    assert_int_equal(nodes.counts[0], 0);
    assert_int_equal(nodes.counts[1], 1);
    assert_int_equal(nodes.counts[2], 1);
    assert_int_equal(nodes.counts[3], 2);
    orr_dag_dependencies_clear(&nodes);
    orr_dag_free(dag);
}

/* Commuting tasks run side by side; a task that reads after them waits for all.
 */
static void test_commuting_tasks_do_not_wait_for_each_other(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_RANK);
    struct orr_dag_figures figures;
    struct orr_dag *dag;

    (void)state;
    access_datum(builder, add_task(builder, "w", 1), "d", ORR_DAG_WRITE);
    for (unsigned i = 0; i < 3; i++) {
        char name[] = {'c', (char)('0' + i), '\0'};

        access_datum(builder, add_task(builder, name, 2), "d",
                     ORR_DAG_READ | ORR_DAG_WRITE | ORR_DAG_COMMUTE);
    }
    access_datum(builder, add_task(builder, "r", 4), "d", ORR_DAG_READ);
    dag = finish(builder);
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.depth, 3);
    assert_int_equal(figures.width, 3);
    assert_true(figures.path_flops == 7);
    assert_int_equal(figures.path_time, 70);
    assert_true(figures.flops == 11);
    assert_true(figures.read_bytes == 400);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_scratch_memory_implies_nothing(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_RANK);
    struct orr_dag_figures figures;
    struct orr_dag *dag;

    (void)state;
    access_datum(builder, add_task(builder, "a", 1), "d", ORR_DAG_SCRATCH);
    access_datum(builder, add_task(builder, "b", 1), "d", ORR_DAG_SCRATCH);
    dag = finish(builder);
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.dependencies, 0);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_edges_that_data_imply_are_dropped(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_RANK);
    uint32_t a = add_task(builder, "a", 1);
    uint32_t b = add_task(builder, "b", 1);
    uint32_t c = add_task(builder, "c", 1);
    struct orr_dag *dag;

    (void)state;
    access_datum(builder, a, "d", ORR_DAG_WRITE);
    access_datum(builder, b, "d", ORR_DAG_READ);
    assert_true(orr_dag_edge(builder, a, b, NULL));
    assert_true(orr_dag_edge(builder, b, c, NULL));
    assert_true(orr_dag_edge(builder, b, c, NULL));
    dag = finish(builder);
    assert_int_equal(orr_dag_edge_count(dag), 1);
    assert_int_equal(dag->edges[0], 1);
    orr_dag_free(dag);
}

static void test_the_writer_of_a_file_comes_before_its_readers(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    uint32_t reader = add_task(builder, "reader", 1);
    uint32_t writer = add_task(builder, "writer", 1);
    struct orr_dag *dag;

    (void)state;
    access_datum(builder, reader, "file", ORR_DAG_READ);
    access_datum(builder, writer, "file", ORR_DAG_WRITE);
    dag = finish(builder);
    assert_string_equal(orr_dag_text(dag, dag->tasks[0].name), "writer");
    assert_string_equal(orr_dag_text(dag, dag->tasks[1].name), "reader");
    orr_dag_free(dag);
}

static void test_an_edge_against_a_file_is_a_cycle(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    uint32_t reader = add_task(builder, "reader", 1);
    uint32_t writer = add_task(builder, "writer", 1);

    (void)state;
    access_datum(builder, reader, "file", ORR_DAG_READ);
    access_datum(builder, writer, "file", ORR_DAG_WRITE);
    assert_true(orr_dag_edge(builder, reader, writer, NULL));
    expect_refused(builder, "a.test: a cycle of tasks: 'writer' -> 'reader' -> "
                            "'writer'");
}

static void test_a_cycle_is_refused_with_its_tasks(void **state)
{
    for (unsigned order = ORR_DAG_BY_RANK; order <= ORR_DAG_BY_EDGES; order++) {
        struct orr_dag_builder *builder =
            builder_new((enum orr_dag_order)order);
        uint32_t a = add_task(builder, "a", 1);
        uint32_t b = add_task(builder, "b", 1);
        uint32_t c = add_task(builder, "c", 1);

        add_task(builder, "aside", 1);
        assert_true(orr_dag_edge(builder, a, b, NULL));
        assert_true(orr_dag_edge(builder, b, c, NULL));
        assert_true(orr_dag_edge(builder, c, a, NULL));
        expect_refused(builder,
                       "a.test: a cycle of tasks: 'b' -> 'c' -> 'a' -> 'b'");
    }
    (void)state;
}

static void test_a_task_that_follows_itself_is_refused(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    uint32_t a = add_task(builder, "a", 1);

    (void)state;
    assert_true(orr_dag_edge(builder, a, a, NULL));
    expect_refused(builder, "a.test: a cycle of tasks: 'a' -> 'a'");
}

static void test_an_unknown_parent_is_refused(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    uint32_t a = add_task(builder, "a", 1);

    (void)state;
    builder->line = 7;
    assert_true(
        orr_dag_edge(builder, orr_dag_refer(builder, "b", 1, NULL), a, NULL));
    expect_refused(builder, "a.test:7: unknown task 'b', a parent of task 'a'");
}

static void test_a_task_that_is_there_twice_is_refused(void **state)
{
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    g_autoptr(GError) error = NULL;

    (void)state;
    builder->line = 3;
    add_task(builder, "a", 1);
    builder->line = 5;
    assert_int_equal(orr_dag_define(builder, "a", 1, &error), ORR_DAG_NONE);
    assert_string_equal(error->message,
                        "a.test:5: task 'a' is there twice; first on line 3");
    orr_dag_builder_free(builder);
}

/* 1 task, then 2, then 2: 2 + 4 pairs. */
static void test_density_is_dependencies_to_pairs_of_levels(void **state)
{
    static const unsigned edges[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {0, 4}};
    struct orr_dag_builder *builder = builder_new(ORR_DAG_BY_EDGES);
    struct orr_dag_figures figures;
    struct orr_dag *dag;

    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        char name[] = {(char)('0' + i), '\0'};

        add_task(builder, name, 1);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(edges); i++)
        assert_true(orr_dag_edge(builder, edges[i][0], edges[i][1], NULL));
    dag = finish(builder);
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.dependencies, 5);
    assert_int_equal(figures.depth, 3);
    assert_int_equal(figures.width, 2);
    assert_true(figures.density * 6 > 4.999 && figures.density * 6 < 5.001);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

ORR_TESTS(dag)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_writer_follows_all_readers),
        cmocka_unit_test(test_commuting_tasks_do_not_wait_for_each_other),
        cmocka_unit_test(test_scratch_memory_implies_nothing),
        cmocka_unit_test(test_edges_that_data_imply_are_dropped),
        cmocka_unit_test(test_the_writer_of_a_file_comes_before_its_readers),
        cmocka_unit_test(test_an_edge_against_a_file_is_a_cycle),
        cmocka_unit_test(test_a_cycle_is_refused_with_its_tasks),
        cmocka_unit_test(test_a_task_that_follows_itself_is_refused),
        cmocka_unit_test(test_an_unknown_parent_is_refused),
        cmocka_unit_test(test_a_task_that_is_there_twice_is_refused),
        cmocka_unit_test(test_density_is_dependencies_to_pairs_of_levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Products of matrices: the graphs that the application submits. */
#include "apps/trace/submitted.h"
#include "models/dag/dag_figures.h"
#include "runtime/programs/programs.h"
#include "tests/support/app_values.h"

struct graph {
    double tasks, work, path; /* work in flops */
    double promised;          /* flops that the application promises */
    uint32_t data;
    uint64_t bytes; /* of all data */
};

static struct graph graph_of(const char *options)
{
    struct orr_app_values *values = app_values("gemm", options);
    struct orr_dag *dag = orr_submitted_graph(&orr_app_gemm, values, NULL);
    struct orr_dag_figures figures;
    struct graph graph = {
        .tasks = dag->task_count,
        .data = dag->datum_count,
        .promised = orr_app_flops(values),
    };

    orr_dag_figures(dag, &figures);
    graph.path = figures.path_flops;
    for (uint32_t i = 0; i < dag->task_count; i++)
        graph.work += dag->tasks[i].flops;
    for (uint32_t i = 0; i < dag->datum_count; i++)
        graph.bytes += dag->data[i].bytes;
    assert_true(orr_app_tasks(values) == graph.tasks);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
    orr_app_values_free(values);
    return graph;
}

/* 3 x 2 tiles of 10 x 10; slabs of 40 columns: 8000 flops a task, no edge. */
static void slabs_are_multiplied_at_once(void **state)
{
    struct graph graph = graph_of("tiles=3x2 tile=10");

    (void)state;
    assert_true(graph.tasks == 6);
    assert_float_equal(graph.promised, 6 * 8000, 1e-6);
    assert_float_equal(graph.work, 6 * 8000, 1e-6);
    assert_float_equal(graph.path, 8000, 1e-6);
    assert_int_equal(graph.data, 3 + 2 + 3 * 2);
    assert_int_equal(graph.bytes, 4 * ((3 + 2) * 400 + 6 * 100));
}

/* A depth of one tile: a task multiplies two tiles. */
static void slabs_may_be_as_deep_as_a_tile(void **state)
{
    struct graph graph =
        graph_of("tiles=3x2 tile=10 depth=10 precision=double");

    (void)state;
    assert_true(graph.tasks == 6);
    assert_float_equal(graph.promised, 6 * 2000, 1e-6);
    assert_float_equal(graph.work, 6 * 2000, 1e-6);
    assert_int_equal(graph.bytes, 8 * (3 + 2 + 6) * 100);
}

/* 3 x 2 x 5 products of 2000 flops; the five of a tile are a chain. */
static void products_of_one_tile_are_added_in_turn(void **state)
{
    struct graph graph = graph_of("variant=k tiles=3x2x5 tile=10");

    (void)state;
    assert_true(graph.tasks == 30);
    assert_float_equal(graph.promised, 30 * 2000, 1e-6);
    assert_float_equal(graph.work, 30 * 2000, 1e-6);
    assert_float_equal(graph.path, 5 * 2000, 1e-6);
    assert_int_equal(graph.data, 3 * 5 + 5 * 2 + 3 * 2);
}

ORR_TESTS(gemm)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_are_multiplied_at_once),
        cmocka_unit_test(slabs_may_be_as_deep_as_a_tile),
        cmocka_unit_test(products_of_one_tile_are_added_in_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

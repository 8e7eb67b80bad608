/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Graphs from records of StarPU. */
#include <string.h>

#include "models/dag/dag_figures.h"
#include "models/dagfile/dag_read.h"
#include "tests/support/temp_file.h"

static const struct orr_dag_read_settings settings = {false};

/* Reads @tasks, with @data beside it (NULL: without). */
static struct orr_dag *read_texts(const char *tasks, const char *data,
                                  GError **error)
{
    char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "tasks.rec", NULL);
    g_autofree char *beside = g_build_filename(folder, "data.rec", NULL);
    struct orr_dag *dag;

    assert_true(g_file_set_contents(path, tasks, -1, NULL));
    if (data)
        assert_true(g_file_set_contents(beside, data, -1, NULL));
    dag = orr_dag_read(path, &settings, error);
    g_remove(path);
    g_remove(beside);
    g_rmdir(folder);
    g_free(folder);
    return dag;
}

static struct orr_dag *expect_graph(const char *tasks, const char *data)
{
    GError *error = NULL;
    struct orr_dag *dag = read_texts(tasks, data, &error);

    if (error)
        fail_msg("%s", error->message);
    return dag;
}

/* @message is the error without the folder of the file. */
static void expect_refused(const char *tasks, const char *data,
                           const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(read_texts(tasks, data, &error));
    if (!g_str_has_suffix(error->message, message))
        fail_msg("'%s' does not end in '%s'", error->message, message);
}

static void test_a_trace_of_starpu(void **state)
{
    char *path = source_file("tests/graphs/cholesky-2.rec");
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_read(path, &settings, &error);
    struct orr_dag_figures figures;

    (void)state;
    assert_non_null(dag);
    assert_int_equal(dag->task_count, 4); /* without that of StarPU itself */
    assert_int_equal(dag->datum_count, 3);
    assert_int_equal(dag->kernel_count, 3);
    assert_string_equal(orr_dag_text(dag, dag->tasks[0].name), "POTRF");
    assert_string_equal(orr_dag_kernel(dag, 1), "chol_trsm");
    assert_int_equal(dag->tasks[0].priority, 3);
    assert_int_equal(dag->tasks[0].footprint, 0x617e5fe6);
    assert_int_equal(dag->tasks[0].duration, 2000000);
    assert_true(dag->tasks[0].flops == 0.3e9);
    assert_string_equal(orr_dag_text(dag, dag->tasks[0].iteration), "0 0");
    assert_int_equal(dag->devices[dag->tasks[0].device].memory_node, 1);
    assert_int_equal(dag->devices[dag->tasks[3].device].worker, 1);
    assert_string_equal(orr_dag_text(dag, dag->data[1].name), "A(1,0)");
    assert_string_equal(orr_dag_text(dag, dag->data[1].coordinates), "1 0");
    assert_int_equal(dag->data[1].bytes, 3686400);
    assert_int_equal(dag->data[1].home, 0);
    /* No datum implies DependsOn: 5, through a task that synchronises. */
    assert_int_equal(orr_dag_edge_count(dag), 1);
    assert_int_equal(dag->edges[0], 1);
    assert_int_equal(dag->hint_count, 1);
    assert_int_equal(dag->hints[0].datum, 0);
    assert_int_equal(dag->hints[0].task, 2);
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.path_time, 23500000);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
    g_free(path);
}

#define TASK(job, order, more)                                                 \
    "Name: k\nJobId: " #job "\nSubmitOrder: " #order "\n" more "\n"

static void test_tasks_are_in_order_of_submission(void **state)
{
    struct orr_dag *dag = expect_graph(
        TASK(1, 2, "Priority: 2\n") TASK(2, 1, "Priority: 1\n"), NULL);

    (void)state;
    assert_int_equal(dag->tasks[0].priority, 1);
    assert_int_equal(dag->tasks[1].priority, 2);
    orr_dag_free(dag);
}

static void test_a_graph_without_times_has_all_its_tasks(void **state)
{
    struct orr_dag *dag = expect_graph(TASK(1, 1, "") TASK(2, 2, ""), NULL);

    (void)state;
    assert_int_equal(dag->task_count, 2);
    assert_int_equal(dag->tasks[0].duration, -1);
    assert_int_not_equal(dag->tasks[0].kernel, ORR_DAG_NONE);
    orr_dag_free(dag);
}

/* Two data of the same size at one address: the third task does not depend on
 * the second, so it cannot be of the same datum. */
static void test_handles_at_one_address_are_told_apart(void **state)
{
    static const char tasks[] = TASK(1, 1, "Handles: a\nModes: W\nSizes: 8\n")
        TASK(2, 2, "Handles: a\nModes: RW\nSizes: 8\nDependsOn: 1\n")
            TASK(3, 3, "Handles: a\nModes: W\nSizes: 8\n")
                TASK(4, 4, "Handles: a\nModes: R\nSizes: 8\nDependsOn: 3\n");
    struct orr_dag *dag =
        expect_graph(tasks, "Handle: a\nSize: 8\nName: one\n\n"
                            "Handle: a\nSize: 8\nName: two\n");

    (void)state;
    assert_int_equal(dag->datum_count, 2);
    assert_int_equal(dag->accesses[1].datum, 0);
    assert_int_equal(dag->accesses[2].datum, 1);
    assert_int_equal(dag->accesses[3].datum, 1);
    assert_string_equal(orr_dag_text(dag, dag->data[1].name), "two");
    orr_dag_free(dag);
}

static void test_a_handle_that_is_there_once_is_one_datum(void **state)
{
    struct orr_dag *dag =
        expect_graph(TASK(1, 1, "Handles: a\nModes: W\n")
                         TASK(2, 2,
                              "Handles: a\nModes: W\n"
                              "DependsOn: 3\n") TASK(3, 1, ""),
                     "Handle: a\nSize: 8\n");

    (void)state;
    assert_int_equal(dag->datum_count, 1);
    assert_int_equal(dag->data[0].bytes, 8);
    orr_dag_free(dag);
}

static void test_another_size_is_another_datum(void **state)
{
    struct orr_dag *dag =
        expect_graph(TASK(1, 1, "Handles: a\nModes: W\nSizes: 8\n")
                         TASK(2, 2, "Handles: a\nModes: R\nSizes: 16\n"),
                     NULL);

    (void)state;
    assert_int_equal(dag->datum_count, 2);
    assert_int_equal(dag->data[1].bytes, 16);
    orr_dag_free(dag);
}

static void test_bad_records_are_refused(void **state)
{
    (void)state;
    expect_refused("", NULL, "tasks.rec: no task");
    expect_refused("Name: k\nnonsense\n", NULL,
                   "tasks.rec:2: expected a field, as 'Name: value'");
    expect_refused(TASK(1, 1, "DependsOn: 9\n"), NULL,
                   "tasks.rec:1: unknown task '9', a parent of task '1'");
    expect_refused(TASK(1, 1, "") TASK(1, 2, ""), NULL,
                   "tasks.rec:5: task '1' is there twice; first on line 1");
    expect_refused(TASK(1, 1, "DependsOn: 2\n") TASK(2, 2, "DependsOn: 1\n"),
                   NULL, "a cycle of tasks: '2' -> '1' -> '2'");
    expect_refused(TASK(1, 1, "Handles: a b\nModes: R\n"), NULL,
                   "tasks.rec:1: Handles, Modes and Sizes are not of the same "
                   "length");
    expect_refused(TASK(1, 1, "Handles: a\nModes: R\nSizes: -1\n"), NULL,
                   "tasks.rec:1: Sizes: '-1' is not a number of bytes");
    expect_refused(TASK(1, 1, "Handles: a\nModes: Q\n"), NULL,
                   "Modes: 'Q' is not made of R, W, S, C and X");
    expect_refused(TASK(1, 1, "GFlop: nan\n"), NULL,
                   "tasks.rec:1: GFlop: 'nan' is not a number >= 0");
    expect_refused(TASK(1, 1, "StartTime: 2\nEndTime: 1\n"), NULL,
                   "tasks.rec:1: EndTime is before StartTime");
    expect_refused(TASK(1, 1, "Priority: 1e99\n"), NULL,
                   "tasks.rec:1: Priority: '1e99' is not a number");
    expect_refused(TASK(1, 1, "Critical: 2\n"), NULL,
                   "tasks.rec:1: Critical: '2' is not 0 or 1");
    expect_refused(TASK(1, 1, ""), "Handle: a\n\nHandle: b\nSize: x\n",
                   "data.rec:3: Size: 'x' is not a number of bytes");
    expect_refused(TASK(1, 1, ""), "Handle: a\nHomeNode: 2000000000\n",
                   "data.rec:1: HomeNode: '2000000000' is not a memory node");
}

/* Without a name, the handle is the name. */
static void test_a_name_is_told_from_a_handle(void **state)
{
    struct orr_dag *dag = expect_graph(
        "Name: k\nJobId: 1\nHandles: a b c\nModes: R R R\nSizes: 8 8 8\n",
        "Handle: a\nHomeNode: -1\nName: B\nSize: 8\nCoordinates: 2 1\n\n"
        "Handle: b\nSize: 8\nCoordinates: 2 1\n\n"
        "Handle: c\nName: sum\nSize: 8\n");

    (void)state;
    assert_true(dag->data[0].is_named);
    assert_int_equal(dag->data[0].home, -1);
    assert_string_equal(orr_dag_text(dag, dag->data[0].name), "B");
    assert_false(dag->data[1].is_named);
    assert_true(dag->data[2].is_named);
    orr_dag_free(dag);
}

/* A trace that begins after the tasks 3 and 4, and a job of number 0: all below
 * the first record. 9 is not. */
static void test_parents_of_before_the_recording(void **state)
{
    struct orr_dag *dag = expect_graph("Name: a\nJobId: 6\nDependsOn: 3 0\n\n"
                                       "JobId: 7\nDependsOn: 4 6\n\n"
                                       "Name: b\nJobId: 8\nDependsOn: 7 4\n",
                                       NULL);

    (void)state;
    assert_int_equal(dag->task_count, 2);
    assert_int_equal(dag->lost_parents, 3);
    assert_int_equal(orr_dag_edge_count(dag), 1); /* from a to b, through 7 */
    assert_int_equal(dag->tasks[1].first_edge, 0);
    orr_dag_free(dag);
    expect_refused("Name: a\nJobId: 6\nDependsOn: 3 9\n", NULL,
                   "tasks.rec:1: unknown task '9', a parent of task '6'");
    /* Each rank counts by itself. */
    expect_refused("Name: a\nJobId: 6\nMPIRank: 1\nDependsOn: 5\n\n"
                   "Name: a\nJobId: 4\nMPIRank: 2\nDependsOn: 5\n",
                   NULL,
                   "tasks.rec:6: unknown task '2:5', a parent of task "
                   "'2:4'");
}

/* L only says where a task should run. */
static void test_locality_is_no_access(void **state)
{
    struct orr_dag *dag = expect_graph(
        "Name: a\nJobId: 1\nHandles: f e\nModes: L RL\nSizes: 8 8\n", NULL);

    (void)state;
    assert_int_equal(orr_dag_access_count(dag), 1);
    assert_int_equal(dag->accesses[0].mode, ORR_DAG_READ);
    orr_dag_free(dag);
}

static void test_other_rec_files_are_refused(void **state)
{
    const char *task = "Name: a\nJobId: 1\n";

    (void)state;
    expect_refused("Handle: ff\nHomeNode: 0\nName: A\nSize: 8\n", NULL,
                   "tasks.rec:1: a datum, not a task: this is a data.rec, "
                   "which belongs to a tasks.rec");
    expect_refused(task, task,
                   "data.rec:1: a record without Handle: these are not the "
                   "data of a tasks.rec");
    expect_refused("%rec: timing\n\nModel: gemm\nArchitecture: cpu0\n", NULL,
                   "tasks.rec:1: a platform_file.rec, which has no tasks");
    expect_refused(task, "\n\nHandle: f\nName: a\tb\n",
                   "data.rec:3: 'a?b' is not text in UTF-8, or holds a control "
                   "character");
}

ORR_TESTS(dag_rec)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_is_told_from_a_handle),
        cmocka_unit_test(test_a_trace_of_starpu),
        cmocka_unit_test(test_tasks_are_in_order_of_submission),
        cmocka_unit_test(test_a_graph_without_times_has_all_its_tasks),
        cmocka_unit_test(test_handles_at_one_address_are_told_apart),
        cmocka_unit_test(test_a_handle_that_is_there_once_is_one_datum),
        cmocka_unit_test(test_another_size_is_another_datum),
        cmocka_unit_test(test_bad_records_are_refused),
        cmocka_unit_test(test_parents_of_before_the_recording),
        cmocka_unit_test(test_locality_is_no_access),
        cmocka_unit_test(test_other_rec_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

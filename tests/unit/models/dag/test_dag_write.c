/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Graphs written and read back, where facts are easily lost. */
#include <string.h>

#include "models/dag/dag_figures.h"
#include "models/dagfile/dag_read.h"
#include "models/dagfile/dag_write.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

static const struct orr_dag_read_settings settings = {false};
static const char *const none[] = {NULL};

static struct orr_dag *read_path(const char *path)
{
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_read(path, &settings, &error);

    if (error)
        fail_msg("%s", error->message);
    return dag;
}

/* The graph that @text is as CSV. */
static struct orr_dag *read_csv(const char *text)
{
    char *folder = temp_folder_new();
    g_autofree char *path = g_build_filename(folder, "a.csv", NULL);
    struct orr_dag *dag;

    assert_true(g_file_set_contents(path, text, -1, NULL));
    dag = read_path(path);
    g_remove(path);
    temp_folder_remove(folder, none);
    return dag;
}

/* @dag, as it is read after having been written as @name. */
static struct orr_dag *convert(const struct orr_dag *dag, const char *name)
{
    char *folder = temp_folder_new();
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *beside = orr_dag_write_beside(path);
    struct orr_dag *read;

    assert_true(orr_dag_write(dag, path, NULL));
    read = read_path(path);
    g_remove(path);
    if (beside)
        g_remove(beside);
    temp_folder_remove(folder, none);
    return read;
}

/* The third task reads and writes the datum of the first one, but its only
 * predecessor is the second one, which has read it since. */
static void test_dot_keeps_bytes_behind_a_reader(void **state)
{
    struct orr_dag *dag = read_csv("id,kernel,handles\n1,a,A:W:8\n2,b,A:R:8\n"
                                   "3,c,A:RW:8\n4,d,A:R:8\n");
    struct orr_dag *read = convert(dag, "a.dot");
    struct orr_dag_figures figures;

    (void)state;
    orr_dag_figures(read, &figures);
    assert_true(figures.read_bytes == 24);
    assert_int_equal(figures.depth, 4);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
    orr_dag_free(read);
}

/* Two tasks called x get other names, which no other task may have. */
static void test_new_names_are_unique(void **state)
{
    static const char *const names[] = {"a.dot", "a.json"};
    struct orr_dag *dag = read_csv("id,name,kernel,handles\n"
                                   "1,x_ID0000002,k,A:W:1\n"
                                   "2,x,k,A#3:W:1 A!:W:1\n"
                                   "3,x,k,\n4,x_ID0000002_,k,A_#3:W:1\n");

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_dag *read = convert(dag, names[i]);

        assert_int_equal(read->task_count, 4);
        assert_string_equal(orr_dag_text(read, read->tasks[0].name),
                            "x_ID0000002");
        assert_string_equal(orr_dag_text(read, read->tasks[1].name),
                            i == 0 ? "x_ID0000002__" : "x");
        orr_dag_free(read);
    }
    orr_dag_free(dag);
}

/* A task that only synchronises stays, unlike StarPU's own tasks. */
static void test_synchronisations_stay(void **state)
{
    static const char *const names[] = {"a.rec", "a.csv", "a.json", "a.dot"};
    char *path = source_file("tests/graphs/diamond.stg");
    struct orr_dag *dag = read_path(path);

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_dag *read = convert(dag, names[i]);
        struct orr_dag_figures figures;

        orr_dag_figures(read, &figures);
        assert_int_equal(figures.tasks, 4);
        assert_int_equal(figures.others, 2);
        assert_int_equal(figures.dependencies, 6);
        orr_dag_figures_clear(&figures);
        orr_dag_free(read);
    }
    orr_dag_free(dag);
    g_free(path);
}

/* A dependency that several data imply is written once. */
static void test_dependencies_are_written_once(void **state)
{
    struct orr_dag *dag = read_csv("id,kernel,handles\n"
                                   "1,r,A:R:1 B:R:1\n2,r,A:R:1 B:R:1\n"
                                   "3,c,A:RC:1 B:RC:1\n");
    char *folder = temp_folder_new();
    g_autofree char *path = g_build_filename(folder, "a.csv", NULL);
    g_autofree char *text = NULL;

    (void)state;
    assert_true(orr_dag_write(dag, path, NULL));
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_true(g_str_has_suffix(text, ",2 1\n"));
    g_remove(path);
    temp_folder_remove(folder, none);
    orr_dag_free(dag);
}

static void test_data_of_other_graphs_stay(void **state)
{
    struct orr_dag *dag = read_csv("id,kernel\n1,a\n");
    GError *error = NULL;

    (void)state;
    assert_false(orr_dag_write(dag, "chol.data.rec", &error));
    assert_string_equal(error->message,
                        "chol.data.rec: this is the name of the data beside a "
                        "graph in rec");
    g_error_free(error);
    orr_dag_free(dag);
}

/* The first task has all marks, the second one none. */
static void test_marks_stay(void **state)
{
    static const char *const names[] = {"a.rec", "a.csv", "a.json", "a.dot"};
    struct orr_dag *dag =
        read_csv("id,kernel,priority,iteration,parameters,footprint,critical,"
                 "synchronous,handles\n"
                 "1,k,7,1 2,a b,00c0ffee,1,1,A:W:8\n2,k,,,,,0,,A:R:8\n");

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_dag *read = convert(dag, names[i]);
        const struct orr_dag_task *tasks = read->tasks;

        assert_int_equal(tasks[0].priority, 7);
        assert_string_equal(orr_dag_text(read, tasks[0].iteration), "1 2");
        assert_string_equal(orr_dag_text(read, tasks[0].parameters), "a b");
        assert_int_equal(tasks[0].footprint, 0xc0ffee);
        assert_int_equal(tasks[0].critical, ORR_DAG_CRITICAL);
        assert_true(tasks[0].synchronous);
        assert_int_equal(tasks[1].priority, 0);
        assert_int_equal(tasks[1].iteration, 0);
        assert_int_equal(tasks[1].parameters, 0);
        assert_int_equal(tasks[1].footprint, 0);
        assert_int_equal(tasks[1].critical, ORR_DAG_NOT_CRITICAL);
        assert_false(tasks[1].synchronous);
        orr_dag_free(read);
    }
    orr_dag_free(dag);
}

/* Two hints after the first task, in an order of their own, and one after the
 * last one. */
static void test_hints_stay(void **state)
{
    static const char *const names[] = {"a.rec", "a.csv"};
    static const struct orr_dag_hint expected[] = {{1, 1}, {0, 1}, {0, 2}};
    struct orr_dag *dag =
        read_csv("id,kernel,handles,wont_use\n1,k,A:W:8 B:W:8,B A\n"
                 "2,k,A:R:8,A\n");

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_dag *read = convert(dag, names[i]);

        assert_int_equal(read->hint_count, 3);
        assert_memory_equal(read->hints, expected, sizeof expected);
        orr_dag_free(read);
    }
    orr_dag_free(dag);
}

ORR_TESTS(dag_write)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_keeps_bytes_behind_a_reader),
        cmocka_unit_test(test_new_names_are_unique),
        cmocka_unit_test(test_synchronisations_stay),
        cmocka_unit_test(test_dependencies_are_written_once),
        cmocka_unit_test(test_data_of_other_graphs_stay),
        cmocka_unit_test(test_marks_stay),
        cmocka_unit_test(test_hints_stay),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

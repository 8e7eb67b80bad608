/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DOT, DAX, STG and CSV, read and written. */
#include <string.h>

#include "models/dag/dag_figures.h"
#include "models/dag/dag_generate.h"
#include "models/dagfile/dag_read.h"
#include "models/dagfile/dag_write.h"
#include "tests/support/temp_file.h"

static struct orr_dag *read_path(const char *path, bool flops)
{
    const struct orr_dag_read_settings settings = {flops};
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_read(path, &settings, &error);

    if (error)
        fail_msg("%s", error->message);
    return dag;
}

static struct orr_dag *read_sample(const char *name)
{
    g_autofree char *path = source_file(name);

    return read_path(path, false);
}

static struct orr_dag *read_text(const char *text, const char *suffix)
{
    char *path = temp_file_new(text, strlen(text));
    g_autofree char *named = g_strconcat(path, suffix, NULL);
    struct orr_dag *dag;

    assert_int_equal(g_rename(path, named), 0);
    dag = read_path(named, false);
    g_remove(named);
    g_free(path);
    return dag;
}

/* @message is the error without the name of the file, which ends with @suffix.
 */
static void expect_refused(const char *text, const char *suffix,
                           const char *message)
{
    const struct orr_dag_read_settings settings = {false};
    char *path = temp_file_new(text, strlen(text));
    char *named = g_strconcat(path, suffix, NULL);
    g_autoptr(GError) error = NULL;

    assert_int_equal(g_rename(path, named), 0);
    assert_null(orr_dag_read(named, &settings, &error));
    if (!g_str_has_prefix(error->message, named) ||
        strcmp(error->message + strlen(named), message) != 0)
        fail_msg("'%s' does not end in '%s'", error->message, message);
    temp_file_remove(named);
    g_free(path);
}

static void test_dot_has_flops_and_bytes(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/diamond.dot");
    struct orr_dag_figures figures;

    (void)state;
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.tasks, 4);
    assert_int_equal(figures.others, 2); /* root and end */
    assert_true(figures.flops == 7000000000.5);
    assert_true(figures.path_flops == 5e9);
    assert_int_equal(dag->datum_count, 3); /* none for -1, nothing and 1e-12 */
    assert_true(figures.read_bytes == 5000 + 1000 + 2000);
    assert_int_equal(figures.kernel_count, 3);
    assert_int_equal(figures.time, 250000000);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

/* root is before 1, end after 2 and 3. */
static void test_ends_with_work_are_linked_in_dot(void **state)
{
    struct orr_dag *dag =
        read_text("digraph { end [size=1] 1 -> 2 [size=8] root -> 3 1 -> 3 "
                  "root [size=1] }",
                  ".dot");

    (void)state;
    assert_int_equal(orr_dag_edge_count(dag), 2 + 3);
    orr_dag_free(dag);
}

static void test_bad_dot_is_refused(void **state)
{
    (void)state;
    expect_refused("graph G { a -- b }", ".dot",
                   ":1: the graph is not directed: graph, not digraph");
    expect_refused("digraph G {\n a [size=-5] }", ".dot",
                   ":2: 'a': the size '-5' is not a number >= 0");
    expect_refused("digraph G { a [size=nan] }", ".dot",
                   ":1: 'a': the size 'nan' is not a number >= 0");
    expect_refused("digraph G {\n a [seconds=-5] }", ".dot",
                   ":2: 'a': the seconds '-5' is not a number from 0 to 1e+09");
    expect_refused("digraph G { node [priority=x] }", ".dot",
                   ":1: the priority 'x' is not a whole number of 32 bits");
    expect_refused("digraph G { a -> b\n[size=-7] }", ".dot",
                   ":2: 'a -> b': the size '-7' is not a number from 0 to "
                   "4e+18, or -1");
    expect_refused("digraph G {\na -> b; b -> c; c -> a }", ".dot",
                   ":2: a cycle of tasks: 'b' -> 'c' -> 'a' -> 'b'");
    expect_refused("digraph G {\na -> a [size=5] }", ".dot",
                   ":2: a cycle of tasks: 'a' -> 'a'");
    expect_refused("digraph G {}", ".gv", ": no task");
    expect_refused("", ".dot", ":1: not a graph in DOT: the file is empty");
    expect_refused("digraph { a }\ndigraph { b }", ".dot",
                   ":2: a second graph, but a file may have only one");
}

static void test_syntax_of_dot_has_a_line(void **state)
{
    (void)state;
    expect_refused("digraph G {\n  a ->\n}\n", ".dot",
                   ":3: not DOT: a syntax error near '}'");
    expect_refused("digraph G {\n  a -> b", ".dot",
                   ":2: not DOT: the file ends too early");
    expect_refused("digraph G {\n/* a */ \"b\nc", ".dot",
                   ":2: not DOT: a text in quotation marks does not end");
    expect_refused("digraph {\n/*", ".dot",
                   ":2: not DOT: a comment does not end");
    expect_refused("digraph { a [size=1e9] }", ".dot",
                   ":1: not DOT: letters behind a number, which needs "
                   "quotation marks then");
}

/* The grammar of Graphviz: keywords in large or small letters, comments, texts
 * in parts, ports, groups, and default attributes. */
static void test_the_whole_grammar_of_dot(void **state)
{
    struct orr_dag *dag =
        read_text("# a line\n/* b */ DiGraph \"G\" { // c\n"
                  "  rankdir = LR; node [size=2]; edge [size=10]\n"
                  "  Sub\"Graph\" -> x:n:sw;\n"
                  "  subgraph s { node [size=\"3e0\"] y \"y\" z; } -> { u v }"
                  " [size=\"0\" ; color=red]\n"
                  "  \"a\\\"\" + \"b\" -> <i<j>> [label=\"\\N\"]\n}",
                  ".dot");
    struct orr_dag_figures figures;

    (void)state;
    orr_dag_figures(dag, &figures);
    assert_int_equal(dag->task_count, 9);
    assert_string_equal(orr_dag_text(dag, dag->tasks[7].name), "a\"b");
    assert_string_equal(orr_dag_text(dag, dag->tasks[8].name), "i<j>");
    assert_true(figures.flops == 7 * 2 + 2 * 3); /* y and z have 3 */
    assert_int_equal(dag->datum_count, 2);
    assert_int_equal(orr_dag_edge_count(dag), 4); /* y and z with u and v */
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_strict_dot_has_one_edge(void **state)
{
    struct orr_dag *dag = read_text("strict digraph {\n a -> b [size=5]\n"
                                    "a -> b [size=7]; a -> b }",
                                    ".dot");

    (void)state;
    assert_int_equal(dag->datum_count, 1);
    assert_int_equal(dag->data[0].bytes, 7);
    orr_dag_free(dag);
}

/* A short file may ask for any number of edges, and a long one be one text. */
static void test_dot_is_bounded(void **state)
{
    g_autoptr(GString) text = g_string_new("digraph {\n{");

    (void)state;
    for (unsigned i = 0; i < 6000; i++)
        g_string_append_printf(text, "%sn%u ", i == 3000 ? "} -> {" : "", i);
    g_string_append(text, "} }");
    expect_refused(text->str, ".dot",
                   ":2: more than 5000000 edges between groups of nodes");
    g_string_assign(text, "digraph {\n\"");
    for (unsigned i = 0; i < 1u << 20; i++)
        g_string_append(text, "x");
    g_string_append(text, "y\" }");
    expect_refused(text->str, ".dot", ":2: not DOT: a text longer than 1 MiB");
    g_string_assign(text, "digraph {");
    for (unsigned i = 0; i < 200; i++)
        g_string_append(text, "\n{");
    expect_refused(text->str, ".dot",
                   ":102: subgraphs nested more than 100 levels deep");
}

/* Jobs are moved behind the jobs that write their files. */
static void test_dax_has_runtimes_and_files(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/diamond.dax");
    struct orr_dag_figures figures;

    (void)state;
    assert_int_equal(dag->task_count, 4);
    assert_int_equal(dag->datum_count, 4);
    assert_string_equal(orr_dag_text(dag, dag->tasks[3].name), "ID4");
    assert_string_equal(orr_dag_kernel(dag, 1), "sort");
    assert_int_equal(orr_dag_edge_count(dag), 1); /* from ID1 to ID4 */
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.time, 10500000000);
    assert_int_equal(figures.path_time, 8000000000);
    assert_true(figures.read_bytes == 10 + 10 + 20 + 30);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_bad_dax_is_refused(void **state)
{
    (void)state;
    expect_refused("<adag>\n<job id=\"a\"/>\n<job id=\"a\"/></adag>", ".dax",
                   ":3: task 'a' is there twice; first on line 2");
    expect_refused("<adag>\n<job id=\"a\" runtime=\"-1\"/></adag>", ".dax",
                   ":2: runtime '-1' is not a number >= 0");
    expect_refused("<adag>\n<job id=\"a\"/><child ref=\"a\">\n<parent "
                   "ref=\"b\"/></child></adag>",
                   ".dax", ":3: unknown task 'b', a parent of task 'a'");
    expect_refused("<adag><parent ref=\"b\"/></adag>", ".dax",
                   ":1: a parent without a child");
    expect_refused("<adag>\n<job id=\"a\"/><job id=\"b\"/>"
                   "<child ref=\"a\"><parent ref=\"b\"/></child>"
                   "<child ref=\"b\"><parent ref=\"a\"/></child></adag>",
                   ".dax", ":2: a cycle of tasks: 'b' -> 'a' -> 'b'");
    expect_refused("<!DOCTYPE adag [<!ENTITY a \"aaaa\"><!ENTITY b "
                   "\"&a;&a;\">]><adag/>",
                   ".dax",
                   ":1: a declaration in the document type is not accepted");
}

static void test_stg_has_times_and_predecessors(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/diamond.stg");
    struct orr_dag_figures figures;

    (void)state;
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.tasks, 4);
    assert_int_equal(figures.others, 2); /* entry and exit */
    assert_int_equal(figures.time, 14000000000);
    assert_int_equal(figures.path_time, 11000000000);
    assert_int_equal(figures.dependencies, 6);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_bad_stg_is_refused(void **state)
{
    (void)state;
    expect_refused("x\n", ".stg",
                   ":1: expected the number of tasks, at most 20000000, found "
                   "'x'");
    expect_refused("1000000000\n", ".stg",
                   ":1: expected the number of tasks, at most 20000000, found "
                   "'1000000000'");
    expect_refused("1\n0 1 2 0\n", ".stg",
                   ":2: expected a predecessor, found nothing");
    expect_refused("1\n0 1 0 9\n", ".stg",
                   ":2: expected the end of the line, found '9'");
    expect_refused("1\n0 -1 0\n", ".stg", ":2: expected a time, found '-1'");
    expect_refused("5\n0 1 0\n", ".stg",
                   ":2: the first line says 5 tasks, but there are 1");
    expect_refused("2\n0 1 1 1\n1 1 1 0\n", ".stg",
                   ":3: a cycle of tasks: '1' -> '0' -> '1'");
}

static void test_plain_csv(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/plain.csv");
    struct orr_dag_figures figures;

    (void)state;
    assert_int_equal(dag->task_count, 4);
    assert_int_equal(dag->datum_count, 4);
    assert_string_equal(orr_dag_kernel(dag, 0), "split, in two");
    assert_int_equal(dag->tasks[1].duration, 2250500);
    assert_int_equal(dag->tasks[3].priority, -1);
    assert_true(dag->tasks[3].flops < 0);
    assert_int_equal(orr_dag_edge_count(dag), 1); /* a before d */
    orr_dag_figures(dag, &figures);
    assert_int_equal(figures.path_time, 4500000);
    orr_dag_figures_clear(&figures);
    orr_dag_free(dag);
}

static void test_csv_durations_have_the_unit_of_their_column(void **state)
{
    static const struct {
        const char *column;
        int64_t ns;
    } units[] = {{"duration_s", 1500000000},
                 {"duration_ms", 1500000},
                 {"duration_us", 1500},
                 {"Duration_NS", 2}};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(units); i++) {
        g_autofree char *text = g_strdup_printf(
            "id,%s\na,%s\n", units[i].column, units[i].ns == 2 ? "2" : "1.5");
        struct orr_dag *dag = read_text(text, ".csv");

        assert_int_equal(dag->tasks[0].duration, units[i].ns);
        orr_dag_free(dag);
    }
}

/* Mode and bytes of a handle are after its last two colons. */
static void test_csv_handles_may_have_colons(void **state)
{
    struct orr_dag *dag = read_text("id,handles\n"
                                    "a,A:0:1:W:8 A:0:2:W:16\n"
                                    "b,A:0:2:R:16\n",
                                    ".csv");

    (void)state;
    assert_int_equal(dag->datum_count, 2);
    assert_string_equal(orr_dag_text(dag, dag->data[0].name), "A:0:1");
    assert_int_equal(dag->data[0].bytes, 8);
    assert_int_equal(dag->data[1].bytes, 16);
    assert_int_equal(orr_dag_access_count(dag), 3);
    assert_int_equal(dag->accesses[1].mode, ORR_DAG_WRITE);
    assert_int_equal(dag->accesses[2].mode, ORR_DAG_READ);
    orr_dag_free(dag);
}

/* The same job and handle on two ranks are not the same. */
static void test_csv_of_starvz(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/rec.tasks.csv");

    (void)state;
    assert_int_equal(dag->task_count, 3);
    assert_int_equal(dag->datum_count, 3);
    assert_int_equal(dag->hint_count, 1);
    assert_int_equal(orr_dag_edge_count(dag), 0);
    assert_string_equal(orr_dag_kernel(dag, 2), "dtrsm");
    assert_string_equal(orr_dag_text(dag, dag->data[0].coordinates), "0 0");
    orr_dag_free(dag);
}

static void test_bad_csv_is_refused(void **state)
{
    (void)state;
    expect_refused("", ".csv", ": the file is empty");
    expect_refused("id,kernel,synchronises\n", ".csv", ": no task");
    expect_refused("x,y\n1,2\n", ".csv",
                   ":1: no known column: not those of StarVZ, nor id, kernel, "
                   "duration_us and others");
    expect_refused("id,kernel\na\n", ".csv",
                   ":2: 1 fields, but the first line has 2");
    expect_refused("id,duration_s\na,nan\n", ".csv",
                   ":2: 'nan' is not a duration");
    expect_refused("id,flops\na,-1\n", ".csv",
                   ":2: '-1' is not a number of flops >= 0");
    expect_refused("id,handles\na,A:RW\n", ".csv",
                   ":2: 'A' is not a handle, as name:RW:bytes");
    expect_refused("id,kernel,deps\na,k,b\n", ".csv",
                   ":2: unknown task 'b', a parent of task 'a'");
    expect_refused("id,kernel,ID\na,k,b\n", ".csv",
                   ":1: column 3, 'ID', means the same as column 1");
    expect_refused("id,gflop,flops\na,1,2\n", ".csv",
                   ":1: column 3, 'flops', means the same as column 2");
    expect_refused("id,handles\na,A:W:8\nb,A:R:16\n", ".csv",
                   ":3: handle 'A' has 16 bytes, but 8 before");
    expect_refused(
        "id,kernel\na,k\nb,\xff\n", ".csv",
        ":3: '\xef\xbf\xbd' is not text in UTF-8, or holds a control "
        "character");
    expect_refused("id,flops\na,1e308\nb,1e308\n", ".csv",
                   ":3: the flops of all tasks up to here are more than "
                   "1.7e308");
    expect_refused("id,duration_s\n1,1e9\n2,1e9\n3,1e9\n4,1e9\n5,1e9\n6,1e9\n"
                   "7,1e9\n8,1e9\n9,1e9\n10,1e9\n",
                   ".csv",
                   ":11: the times of all tasks up to here are more than "
                   "9.2e9 s");
}

/* CSV as a spreadsheet may write it. */
static void test_csv_that_is_none_gets_a_hint(void **state)
{
    (void)state;
    expect_refused("id;kernel\n1;a\n", ".csv",
                   ":1: no known column: not those of StarVZ, nor id, kernel, "
                   "duration_us and others; fields are separated by "
                   "semicolons, but have to be by commas");
    expect_refused("id\tkernel\n1\ta\n", ".csv",
                   ":1: no known column: not those of StarVZ, nor id, kernel, "
                   "duration_us and others; fields are separated by tabs, but "
                   "have to be by commas");
    expect_refused("1,a\n2,b\n", ".csv",
                   ":1: no known column: not those of StarVZ, nor id, kernel, "
                   "duration_us and others; the first line has to name the "
                   "columns");
}

/* Tasks, accesses and edges of both are the same. */
static void expect_same(const struct orr_dag *one, const struct orr_dag *two)
{
    assert_int_equal(one->task_count, two->task_count);
    assert_int_equal(orr_dag_access_count(one), orr_dag_access_count(two));
    assert_int_equal(orr_dag_edge_count(one), orr_dag_edge_count(two));
    for (uint32_t i = 0; i < one->task_count; i++) {
        assert_string_equal(orr_dag_kernel(one, i), orr_dag_kernel(two, i));
        assert_int_equal(one->tasks[i].duration, two->tasks[i].duration);
        assert_true(one->tasks[i].flops == two->tasks[i].flops);
        assert_int_equal(one->tasks[i].priority, two->tasks[i].priority);
        assert_int_equal(one->tasks[i].first_access,
                         two->tasks[i].first_access);
        assert_int_equal(one->tasks[i].first_edge, two->tasks[i].first_edge);
    }
    for (uint32_t i = 0; i < orr_dag_access_count(one); i++) {
        assert_int_equal(one->accesses[i].mode, two->accesses[i].mode);
        assert_int_equal(one->data[one->accesses[i].datum].bytes,
                         two->data[two->accesses[i].datum].bytes);
    }
    for (uint32_t i = 0; i < orr_dag_edge_count(one); i++)
        assert_int_equal(one->edges[i], two->edges[i]);
}

/* Writes @dag in a format, reads it back and returns the result. */
static struct orr_dag *convert(const struct orr_dag *dag, const char *suffix)
{
    char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_strconcat(folder, "/g", suffix, NULL);
    g_autofree char *data = g_strconcat(folder, "/g.data.rec", NULL);
    GError *error = NULL;
    struct orr_dag *read;

    if (!orr_dag_write(dag, path, &error))
        fail_msg("%s", error->message);
    read = read_path(path, false);
    g_remove(path);
    g_remove(data);
    g_rmdir(folder);
    g_free(folder);
    return read;
}

static void test_what_is_written_is_read_back(void **state)
{
    static const char *const suffixes[] = {".rec", ".json", ".csv"};
    static const char *const samples[] = {
        "tests/graphs/cholesky-2.rec", "tests/graphs/fork.json",
        "tests/graphs/diamond.dax", "tests/graphs/plain.csv"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(samples); i++) {
        struct orr_dag *dag = read_sample(samples[i]);

        for (unsigned j = 0; j < G_N_ELEMENTS(suffixes); j++) {
            struct orr_dag *read = convert(dag, suffixes[j]);

            expect_same(dag, read);
            orr_dag_free(read);
        }
        orr_dag_free(dag);
    }
}

static void test_rec_keeps_names_coordinates_and_hints(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/cholesky-2.rec");
    struct orr_dag *read = convert(dag, ".rec");

    (void)state;
    assert_string_equal(orr_dag_text(read, read->data[1].name), "A(1,0)");
    assert_string_equal(orr_dag_text(read, read->data[1].coordinates), "1 0");
    assert_string_equal(orr_dag_text(read, read->tasks[0].name), "POTRF");
    assert_int_equal(read->tasks[0].footprint, 0x617e5fe6);
    assert_int_equal(read->devices[read->tasks[0].device].memory_node, 1);
    assert_int_equal(read->hint_count, 1);
    assert_int_equal(read->hints[0].task, 2);
    orr_dag_free(dag);
    orr_dag_free(read);
}

/* DOT keeps work, paths and bytes of a graph in which data are written once. */
static void test_dot_keeps_dependencies_and_bytes(void **state)
{
    const struct orr_dag_generate_settings settings = {.tasks = 200,
                                                       .fat = 0.5,
                                                       .regularity = 0.5,
                                                       .density = 0.5,
                                                       .jump = 2,
                                                       .ccr = 0.1,
                                                       .seed = 3,
                                                       .memory = 1u << 30};
    struct orr_dag *dag = orr_dag_generate(&settings, NULL);
    struct orr_dag *read = convert(dag, ".dot");
    struct orr_dag_figures one;
    struct orr_dag_figures two;

    (void)state;
    orr_dag_figures(dag, &one);
    orr_dag_figures(read, &two);
    assert_true(one.flops == two.flops);
    assert_true(one.path_flops == two.path_flops);
    assert_true(one.read_bytes == two.read_bytes);
    assert_int_equal(one.dependencies, two.dependencies);
    orr_dag_figures_clear(&one);
    orr_dag_figures_clear(&two);
    orr_dag_free(dag);
    orr_dag_free(read);
}

ORR_TESTS(dag_formats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dot_has_flops_and_bytes),
        cmocka_unit_test(test_ends_with_work_are_linked_in_dot),
        cmocka_unit_test(test_bad_dot_is_refused),
        cmocka_unit_test(test_syntax_of_dot_has_a_line),
        cmocka_unit_test(test_the_whole_grammar_of_dot),
        cmocka_unit_test(test_strict_dot_has_one_edge),
        cmocka_unit_test(test_dot_is_bounded),
        cmocka_unit_test(test_dax_has_runtimes_and_files),
        cmocka_unit_test(test_bad_dax_is_refused),
        cmocka_unit_test(test_stg_has_times_and_predecessors),
        cmocka_unit_test(test_bad_stg_is_refused),
        cmocka_unit_test(test_plain_csv),
        cmocka_unit_test(test_csv_durations_have_the_unit_of_their_column),
        cmocka_unit_test(test_csv_handles_may_have_colons),
        cmocka_unit_test(test_csv_of_starvz),
        cmocka_unit_test(test_bad_csv_is_refused),
        cmocka_unit_test(test_csv_that_is_none_gets_a_hint),
        cmocka_unit_test(test_what_is_written_is_read_back),
        cmocka_unit_test(test_rec_keeps_names_coordinates_and_hints),
        cmocka_unit_test(test_dot_keeps_dependencies_and_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

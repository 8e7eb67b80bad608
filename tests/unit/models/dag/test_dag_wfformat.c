/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* WfFormat in its versions. */
#include <string.h>

#include "models/dag/dag_figures.h"
#include "models/dagfile/dag_read.h"
#include "tests/support/temp_file.h"

static struct orr_dag *read_sample(const char *name, bool flops)
{
    const struct orr_dag_read_settings settings = {flops};
    g_autofree char *path = source_file(name);
    GError *error = NULL;
    struct orr_dag *dag = orr_dag_read(path, &settings, &error);

    if (error)
        fail_msg("%s", error->message);
    return dag;
}

/* @message is the error without the name of the file. */
static struct orr_dag *read_text(const char *text)
{
    const struct orr_dag_read_settings settings = {false};
    char *path = temp_file_new(text, strlen(text));
    g_autofree char *named = g_strconcat(path, ".json", NULL);
    GError *error = NULL;
    struct orr_dag *dag;

    assert_int_equal(g_rename(path, named), 0);
    dag = orr_dag_read(named, &settings, &error);
    if (error)
        fail_msg("%s", error->message);
    g_remove(named);
    g_free(path);
    return dag;
}

static void test_a_name_without_letters_tells_no_kernel(void **state)
{
    struct orr_dag *dag = read_text(
        "{\"name\": \"x\", \"schemaVersion\": \"1.5\", \"workflow\": "
        "{\"specification\": {\"tasks\": ["
        "{\"id\": \"a\", \"name\": \"7\"}, {\"id\": \"b\", \"name\": \"\"}, "
        "{\"id\": \"c\", \"name\": \"sort_7\"}]}}}");
    static const char *const kernels[] = {"task", "task", "sort"};

    (void)state;
    assert_int_equal(dag->task_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(
            orr_dag_text(dag, dag->kernels[dag->tasks[i].kernel]), kernels[i]);
    orr_dag_free(dag);
}

static void expect_refused(const char *text, const char *message)
{
    const struct orr_dag_read_settings settings = {false};
    char *path = temp_file_new(text, strlen(text));
    char *named = g_strconcat(path, ".json", NULL);
    g_autoptr(GError) error = NULL;

    assert_int_equal(g_rename(path, named), 0);
    assert_null(orr_dag_read(named, &settings, &error));
    if (!g_str_has_prefix(error->message, named) ||
        strcmp(error->message + strlen(named), message) != 0)
        fail_msg("'%s' does not end in '%s'", error->message, message);
    temp_file_remove(named);
    g_free(path);
}

/* The same graph, whatever the version and the order of members. */
static void test_tasks_files_and_runtimes(void **state)
{
    static const char *const samples[] = {"tests/graphs/fork.json",
                                          "tests/graphs/fork-1.4.json"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(samples); i++) {
        struct orr_dag *dag = read_sample(samples[i], false);
        struct orr_dag_figures figures;

        assert_int_equal(dag->task_count, 4);
        assert_int_equal(dag->datum_count, 5);
        assert_int_equal(orr_dag_edge_count(dag), 0); /* files imply all */
        assert_string_equal(orr_dag_text(dag, dag->tasks[0].name), "split_1");
        assert_string_equal(orr_dag_text(dag, dag->tasks[3].name), "merge");
        assert_string_equal(orr_dag_kernel(dag, 0), "split");
        assert_string_equal(orr_dag_kernel(dag, 1), "sort");
        assert_string_equal(orr_dag_kernel(dag, 2), "sort");
        assert_int_equal(dag->tasks[1].duration, 2250000000);
        orr_dag_figures(dag, &figures);
        assert_int_equal(figures.time, 6750000000);
        assert_int_equal(figures.path_time, 4500000000);
        assert_true(figures.read_bytes == 2 * 800 + 300 + 500);
        assert_true(figures.data_bytes == 3400);
        orr_dag_figures_clear(&figures);
        orr_dag_free(dag);
    }
}

static void test_runtimes_may_be_flops(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/fork.json", true);

    (void)state;
    assert_int_equal(dag->tasks[1].duration, -1);
    assert_true(dag->tasks[1].flops == 2.25);
    orr_dag_free(dag);
}

static void test_a_transfer_of_simgrid_is_a_datum(void **state)
{
    struct orr_dag *dag = read_sample("tests/graphs/transfer.json", false);

    (void)state;
    assert_int_equal(dag->task_count, 2);
    assert_int_equal(dag->datum_count, 1);
    assert_int_equal(dag->data[0].bytes, 500000000);
    assert_string_equal(orr_dag_text(dag, dag->data[0].name), "move");
    assert_int_equal(dag->accesses[0].mode, ORR_DAG_WRITE);
    assert_int_equal(dag->accesses[1].mode, ORR_DAG_READ);
    assert_string_equal(
        orr_dag_text(dag, dag->devices[dag->tasks[0].device].name), "node-1");
    orr_dag_free(dag);
}

#define TASKS(tasks)                                                           \
    "{\"schemaVersion\": \"1.4\",\n\"workflow\": {\"tasks\": [\n" tasks "]}}"

static void test_bad_files_are_refused(void **state)
{
    g_autofree char *deep = g_strnfill(200, '[');

    (void)state;
    expect_refused("", ":1: not JSON: the file ends too early");
    expect_refused("{", ":1: not JSON: the file ends too early");
    expect_refused("{}", ": not WfFormat: it has no schemaVersion");
    expect_refused("{\"schemaVersion\": \"1.1\"}",
                   ":1: WfFormat '1.1' is not known; there are: 1.3, 1.4, 1.5, "
                   "1.6, and 1.0 of SimGrid");
    expect_refused(deep, ":1: not JSON: nested more than 100 levels deep");
    expect_refused(TASKS(""), ": no task");
    expect_refused(TASKS("{}"), ":3: a task without id and name");
    expect_refused(TASKS("{\"name\": \"a\"},\n{\"name\": \"a\"}"),
                   ":4: task 'a' is there twice; first on line 3");
    expect_refused(TASKS("{\"name\": \"a\", \"parents\": [\"b\"]}"),
                   ":3: unknown task 'b', a parent of task 'a'");
    expect_refused(TASKS("{\"name\": \"a\", \"runtimeInSeconds\": -1}"),
                   ":3: runtimeInSeconds: '-1' is not a number from 0 to "
                   "1.79769e+308");
    expect_refused(TASKS("{\"name\": \"a\", \"runtimeInSeconds\": 5e9}"),
                   ":3: runtimeInSeconds: 5e9 is more than 1e9 s; flops, as "
                   "SimGrid has them, need --runtime-is flops");
    expect_refused(TASKS("{\"name\": \"a\", \"files\": [{\"link\": \"input\", "
                         "\"name\": \"f\", \"size\": 1e99}]}"),
                   ":3: sizeInBytes: '1e99' is not a number from 0 to 4e+18");
    expect_refused(TASKS("{\"name\": \"a\", \"parents\": [\"b\"]},\n"
                         "{\"name\": \"b\", \"parents\": [\"a\"]}"),
                   ":4: a cycle of tasks: 'b' -> 'a' -> 'b'");
}

#define FILES(tasks, files)                                                    \
    "{\"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": "          \
    "{\"tasks\": [{\"id\": \"a\"" tasks "}],\n\"files\": [" files "]}}}"

static void test_files_are_there_once(void **state)
{
    (void)state;
    expect_refused(FILES("", "{\"id\": \"f\"},\n{\"id\": \"f\"}"),
                   ":3: file 'f' is there twice; first on line 2");
    expect_refused(FILES(", \"inputFiles\": [\"f\"]", "{\"id\": \"g\"}"),
                   ":1: file 'f' of a task is not in the list of files");
    expect_refused(FILES(", \"inputFiles\": [\"f\"]", ""),
                   ":1: file 'f' of a task is not in the list of files");
}

/* Texts that RFC 8259 allows, and texts that it does not. */
static void test_json(void **state)
{
    static const char *const good[] = {
        "-0.5e+3",
        "0",
        "1E5",
        "true",
        "[ ]",
        "{ }",
        "[[], {\"a\":\n[1]}]",
        "null",
        "\"\"",
        "\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0041\""};
    static const char *const bad[][2] = {
        {"[1,]", "expected a value, found ']'"},
        {"[1 2]", "expected ',' or ']', found '2'"},
        {"{\"a\" 1}", "expected ':', found '1'"},
        {"{\"a\": 1,}", "expected a name in quotation marks, found '}'"},
        {"{a: 1}", "expected a name in quotation marks, found 'a'"},
        {"+1", "expected a value, found '+1'"},
        {"01", "expected a value, found '01'"},
        {".5", "expected a value, found '.5'"},
        {"1.", "expected a value, found '1.'"},
        {"1e", "expected a value, found '1e'"},
        {"NaN", "expected a value, found 'NaN'"},
        {"\"a\nb\"", "a control character in a text"},
        {"\"\\x\"", "expected an escape behind \\, found 'x'"},
        {"\"\\u12g4\"",
         "expected four hexadecimal digits behind \\u, found 'g'"},
        {"\"a", "the file ends too early"},
        {"1} 2", "more behind its end"},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autofree char *text = g_strdup_printf("{\"x\": %s}", good[i]);

        expect_refused(text, ": not WfFormat: it has no schemaVersion");
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        const char *end = i < 14 ? "}" : "";
        g_autofree char *text =
            g_strdup_printf("{\n\"x\": %s%s", bad[i][0], end);
        g_autofree char *message =
            g_strdup_printf(":2: not JSON: %s", bad[i][1]);

        expect_refused(text, message);
    }
}

/* Characters in two halves; half of one is replaced. Texts may be in several
 * pieces of the file. */
static void test_texts_of_json(void **state)
{
    g_autofree char *blanks = g_strnfill(65536 - 70, ' ');
    g_autofree char *text = g_strconcat(
        "{\"schemaVersion\": \"1.5\", \"workflow\": {", blanks,
        "\"specification\": {\"tasks\": [{\"id\": "
        "\"\\ud83d\\ude00 \\ud83d\\ud83d\\ude00\\ude00\\u00e9\"}]}}}",
        NULL);
    struct orr_dag *dag = read_text(text);

    (void)state;
    assert_string_equal(orr_dag_text(dag, dag->tasks[0].name),
                        "\xf0\x9f\x98\x80 \xef\xbf\xbd\xf0\x9f\x98\x80"
                        "\xef\xbf\xbd\xc3\xa9");
    orr_dag_free(dag);
}

/* A text ends, and has an escape, at each place of the words in which it is
 * read. */
static void test_texts_of_any_length(void **state)
{
    (void)state;
    for (unsigned length = 1; length < 40; length++) {
        for (unsigned at = 0; at < length; at++) {
            g_autofree char *before = g_strnfill(at, 'x');
            g_autofree char *after = g_strnfill(length - at - 1, '\x7e');
            g_autofree char *name =
                g_strconcat(before, "\xc3\xa9\\", after, NULL);
            g_autofree char *text =
                g_strconcat("{\"schemaVersion\": \"1.5\", \"workflow\": "
                            "{\"specification\": {\"tasks\": [{\"id\": \"",
                            before, "\xc3\xa9\\\\", after, "\"}]}}}", NULL);
            g_autofree char *bad =
                g_strconcat("{\"", before, "\x1f", after, "\": 1}", NULL);
            struct orr_dag *dag = read_text(text);

            assert_string_equal(orr_dag_text(dag, dag->tasks[0].name), name);
            orr_dag_free(dag);
            expect_refused(bad, ":1: not JSON: a control character in a text");
        }
    }
}

/* A task of many pieces of the file, of which all texts are needed at its end:
 * as they are, with escapes, and between two pieces. */
static void test_a_task_of_many_pieces(void **state)
{
    g_autoptr(GString) text = g_string_new(
        "{\"schemaVersion\": \"1.4\", \"workflow\": {\"tasks\": [");
    struct orr_dag *dag;

    (void)state;
    for (unsigned i = 0; i < 20000; i++)
        g_string_append_printf(text, "{\"id\": \"before%u\"}, ", i);
    g_string_append(text, "{\"id\": \"l\\u0061st\", \"priority\": 12345, "
                          "\"category\": \"sort\", \"parents\": [");
    for (unsigned i = 0; i < 20000; i++)
        g_string_append_printf(text, "%s\"%sfore%u\"", i > 0 ? ", " : "",
                               i % 7 ? "be" : "b\\u0065", i);
    g_string_append(text, "], \"runtimeInSeconds\": 0.25}]}}");
    dag = read_text(text->str);
    assert_int_equal(dag->task_count, 20001);
    assert_int_equal(orr_dag_edge_count(dag), 20000);
    for (uint32_t i = 0; i < 20000; i++)
        assert_int_equal(dag->edges[i], i);
    assert_string_equal(orr_dag_text(dag, dag->tasks[20000].name), "last");
    assert_string_equal(orr_dag_kernel(dag, 20000), "sort");
    assert_int_equal(dag->tasks[20000].priority, 12345);
    orr_dag_free(dag);
}

static void test_json_is_bounded(void **state)
{
    g_autofree char *letters = g_strnfill(1u << 20, 'x');
    g_autofree char *good = g_strconcat("{\"x\": \"", letters, "\"}", NULL);
    g_autofree char *bad = g_strconcat("{\n\"x\": \"", letters, "y\"}", NULL);

    (void)state;
    expect_refused(good, ": not WfFormat: it has no schemaVersion");
    expect_refused(bad, ":2: not JSON: a text longer than 1 MiB");
}

static void test_marks_of_encodings(void **state)
{
    struct orr_dag *dag = read_text("\xef\xbb\xbf" TASKS("{\"name\": \"a\"}"));

    (void)state;
    assert_int_equal(dag->task_count, 1);
    orr_dag_free(dag);
    expect_refused("\xff\xfe{", ":1: the file is in UTF-16; it has to be in "
                                "UTF-8");
}

ORR_TESTS(dag_wfformat)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_name_without_letters_tells_no_kernel),
        cmocka_unit_test(test_tasks_files_and_runtimes),
        cmocka_unit_test(test_runtimes_may_be_flops),
        cmocka_unit_test(test_a_transfer_of_simgrid_is_a_datum),
        cmocka_unit_test(test_bad_files_are_refused),
        cmocka_unit_test(test_files_are_there_once),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_texts_of_json),
        cmocka_unit_test(test_texts_of_any_length),
        cmocka_unit_test(test_a_task_of_many_pieces),
        cmocka_unit_test(test_json_is_bounded),
        cmocka_unit_test(test_marks_of_encodings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traces, written into a folder of their own. */

#include "apps/trace/trace_format.h"
#include "models/base/error.h"
#include "models/import/record.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

#include "runtime/orrery.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/csv_trace.h"

#define TASK_TITLES                                                            \
    "submit_order,name,worker,priority,submit_ms,start_ms,end_ms,modes,"       \
    "kernel_start_ms,kernel_end_ms,worker_name,ready_ms,data_ms,data,"         \
    "depends_on,coordinates,implementation,unfinished\n"
#define COPY_TITLES "from,to,data,bytes,why,submit_ms,start_ms,end_ms,name\n"

struct fixture {
    char *folder;
    char *tasks;  /* the path given */
    char *copies; /* the other one */
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->folder = g_dir_make_tmp("orrery-XXXXXX", NULL);
    f->tasks = g_build_filename(f->folder, "a.csv", NULL);
    f->copies = g_build_filename(f->folder, "a.copies.csv", NULL);
    *state = f;
    return f->folder ? 0 : -1;
}

/* A test removes what it expects; a file left over is a failure. */
static int teardown(void **state)
{
    struct fixture *f = *state;
    int left = g_rmdir(f->folder);

    g_free(f->folder);
    g_free(f->tasks);
    g_free(f->copies);
    g_free(f);
    return left;
}

/* Removes the file @path, which must hold @expected. */
static void expect(const char *path, const char *expected)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, expected);
    assert_int_equal(g_unlink(path), 0);
}

static void put_task(struct orr_trace *trace, const char *name)
{
    static const uint8_t modes[] = {ORR_R, ORR_W, ORR_RW, ORR_RW | ORR_COMMUTE};
    static const struct orr_trace_access accesses[] = {
        {.datum =
             {.name = "A", .has_coordinates = true, .row = 5, .column = 2}},
        {.datum = {.has_coordinates = true, .row = 1}},
        {.datum = {.number = 9}},
    };
    static const uint64_t parents[] = {3, 6};
    const struct orr_trace_task task = {
        .order = 7,
        .name = name,
        .worker = 2,
        .priority = -3,
        .submitted = 1,
        .started = 1000000,
        .ended = 12345678901234,
        .kernel_started = 999000,
        .kernel_ended = 12345678901230,
        .access_count = 4,
        .modes = modes,
        .worker_name = "CUDA2",
        .ready = 500,
        .arrived = 998000,
        .datum_count = 3,
        .accesses = accesses,
        .parent_count = 2,
        .parents = parents,
        .coordinate_count = 3,
        .coordinates = {5, 2, 1},
        .implementation = 1,
    };

    trace->task(trace, &task);
}

static void put_copy(struct orr_trace *trace)
{
    const struct orr_trace_copy copy = {
        .from = "RAM",
        .to = "CUDA0",
        .data = 5,
        .bytes = 3686400,
        .why = "prefetch",
        .submitted = 0,
        .started = 999999,
        .ended = 2000001,
        .datum = {.name = "\"B\",\n"},
    };

    trace->copy(trace, &copy);
}

static void each_task_and_each_copy_is_a_line(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace = open_csv(f->tasks, NULL);

    assert_non_null(trace);
    put_task(trace, "GEMM");
    put_copy(trace);
    assert_true(close_csv(trace, true, NULL));
    expect(f->tasks, TASK_TITLES
           "7,GEMM,2,-3,0.000001,1.000000,12345678.901234,R W RW RWC,"
           "0.999000,12345678.901230,CUDA2,0.000500,0.998000,\"A(5,2);(1,0);"
           "9\",3 6,5 2 1,1,0\n");
    expect(f->copies,
           COPY_TITLES "RAM,CUDA0,5,3686400,prefetch,0.000000,0.999999,"
                       "2.000001,\"\"\"B\"\",\n\"\n");
}

static void names_with_commas_and_quotes_are_quoted(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace = open_csv(f->tasks, NULL);

    put_task(trace, "a \"b\", c");
    assert_true(close_csv(trace, true, NULL));
    expect(f->tasks, TASK_TITLES "7,\"a \"\"b\"\", c\",2,-3,0.000001,1.000000,"
                                 "12345678.901234,R W RW RWC,"
                                 "0.999000,12345678.901230,CUDA2,0.000500,0."
                                 "998000,\"A(5,2);(1,0);9\",3 6,5 2 1,1,0\n");
    expect(f->copies, COPY_TITLES);
}

/* As any reader of CSV would. Bytes that are not UTF-8 are replaced. */
static void names_are_read_back(void **state)
{
    static const char *const names[][2] = {
        {"a\nb", "a\nb"},
        {"\r\n\r", "\r\n\r"},
        {"\n", "\n"},
        {"a\tb", "a\tb"},
        {"\"", "\""},
        {" a, b ", " a, b "},
        {"tr\303\250s\n\"grand\"", "tr\303\250s\n\"grand\""},
        {"a\377b", "a\357\277\275b"},
    };
    struct fixture *f = *state;
    struct orr_trace *trace = open_csv(f->tasks, NULL);
    g_autoptr(GError) error = NULL;
    struct orr_record *record;

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        put_task(trace, names[i][0]);
    assert_true(close_csv(trace, true, NULL));
    record = orr_record_read(f->tasks, &error);
    if (error)
        fail_msg("%s", error->message);
    assert_int_equal(record->count, G_N_ELEMENTS(names));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        assert_string_equal(record->tasks[i].name, names[i][1]);
    orr_record_free(record);
    assert_int_equal(g_unlink(f->tasks), 0);
    assert_int_equal(g_unlink(f->copies), 0);
}

static void a_name_without_csv_is_kept_whole(void **state)
{
    struct fixture *f = *state;
    g_autofree char *tasks = g_build_filename(f->folder, "b.trace", NULL);
    g_autofree char *copies =
        g_build_filename(f->folder, "b.trace.copies.csv", NULL);

    assert_true(close_csv(open_csv(tasks, NULL), true, NULL));
    expect(tasks, TASK_TITLES);
    expect(copies, COPY_TITLES);
}

/* Otherwise it would look like a run without tasks. */
static void a_hang_in_which_no_task_ended_is_marked(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace = open_csv(f->tasks, NULL);

    assert_true(orr_trace_csv.finish(trace, false, NULL));
    assert_true(orr_trace_csv.move(trace, NULL));
    orr_trace_csv.free(trace);
    expect(f->tasks, TASK_TITLES ",,,,,,,,,,,,,,,,,1\n");
    expect(f->copies, COPY_TITLES);
}

static void nothing_is_replaced_before_the_end(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace;

    assert_true(g_file_set_contents(f->tasks, "old", -1, NULL));
    trace = open_csv(f->tasks, NULL);
    put_task(trace, "GEMM");
    expect(f->tasks, "old");
    assert_false(g_file_test(f->copies, G_FILE_TEST_EXISTS));
    assert_true(close_csv(trace, false, NULL));
}

static void a_failed_run_leaves_what_was_there(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace;

    assert_true(g_file_set_contents(f->tasks, "old", -1, NULL));
    assert_true(g_file_set_contents(f->copies, "old too", -1, NULL));
    trace = open_csv(f->tasks, NULL);
    put_task(trace, "GEMM");
    put_copy(trace);
    assert_true(close_csv(trace, false, NULL));
    expect(f->tasks, "old");
    expect(f->copies, "old too");
}

static void a_folder_that_does_not_exist_is_an_error(void **state)
{
    struct fixture *f = *state;
    g_autofree char *path = g_build_filename(f->folder, "no", "a.csv", NULL);
    g_autoptr(GError) error = NULL;

    assert_null(open_csv(path, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_true(g_str_has_prefix(error->message, path));
}

/* A pipe, a device: moving a file there would be no writing to it. */
static void what_is_not_a_file_is_not_replaced(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GError) error = NULL;

    assert_int_equal(mkfifo(f->tasks, 0600), 0);
    assert_null(open_csv(f->tasks, &error));
    assert_non_null(strstr(error->message, "a.csv: not a regular file"));
    assert_int_equal(g_unlink(f->tasks), 0);
}

static void a_folder_in_the_way_of_the_copies_is_an_error(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GError) error = NULL;

    assert_int_equal(g_mkdir(f->copies, 0777), 0);
    assert_null(open_csv(f->tasks, &error));
    assert_non_null(strstr(error->message, "a.copies.csv: not a regular"));
    assert_int_equal(g_rmdir(f->copies), 0);
}

/* Files may grow to @bytes; writing more fails, as on a full disk. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = MIN(bytes, limit.rlim_max);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void what_cannot_be_written_is_an_error(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GError) error = NULL;
    struct orr_trace *trace;

    signal(SIGXFSZ, SIG_IGN);
    assert_true(g_file_set_contents(f->tasks, "old", -1, NULL));
    trace = open_csv(f->tasks, NULL);
    limit_files(4096);
    for (unsigned i = 0; i < 1000; i++)
        put_task(trace, "GEMM");
    /* There is room again, but lines are lost. */
    limit_files(RLIM_INFINITY);
    put_copy(trace);
    assert_false(close_csv(trace, true, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_true(g_str_has_prefix(error->message, f->tasks));
    assert_true(g_str_has_suffix(error->message, g_strerror(EFBIG)));
    expect(f->tasks, "old");
}

/* So few bytes that they wait in memory until the file is closed. */
static void what_cannot_be_written_at_the_end_is_an_error(void **state)
{
    struct fixture *f = *state;
    g_autoptr(GError) error = NULL;
    struct orr_trace *trace;

    signal(SIGXFSZ, SIG_IGN);
    trace = open_csv(f->tasks, NULL);
    put_task(trace, "GEMM");
    limit_files(10);
    assert_false(close_csv(trace, true, &error));
    limit_files(RLIM_INFINITY);
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The last row of a run that hangs has the mark. */
static void the_last_task_before_a_hang_is_marked(void **state)
{
    struct fixture *f = *state;
    struct orr_trace *trace = open_csv(f->tasks, NULL);
    g_autofree char *text = NULL;
    g_auto(GStrv) lines = NULL;

    put_task(trace, "GEMM");
    put_task(trace, "GEMM");
    assert_true(orr_trace_csv.finish(trace, false, NULL));
    assert_true(orr_trace_csv.move(trace, NULL));
    orr_trace_csv.free(trace);
    assert_true(g_file_get_contents(f->tasks, &text, NULL, NULL));
    lines = g_strsplit(text, "\n", -1);
    assert_int_equal(g_strv_length(lines), 4);
    assert_true(g_str_has_suffix(lines[1], ",5 2 1,1,0"));
    assert_true(g_str_has_suffix(lines[2], ",5 2 1,1,1"));
    assert_int_equal(g_unlink(f->tasks), 0);
    assert_int_equal(g_unlink(f->copies), 0);
}

ORR_TESTS(trace_csv)
{
    const struct CMUnitTest tests[] = {
        TEST(each_task_and_each_copy_is_a_line),
        TEST(names_with_commas_and_quotes_are_quoted),
        TEST(names_are_read_back),
        TEST(a_name_without_csv_is_kept_whole),
        TEST(the_last_task_before_a_hang_is_marked),
        TEST(a_hang_in_which_no_task_ended_is_marked),
        TEST(nothing_is_replaced_before_the_end),
        TEST(a_failed_run_leaves_what_was_there),
        TEST(a_folder_that_does_not_exist_is_an_error),
        TEST(what_is_not_a_file_is_not_replaced),
        TEST(a_folder_in_the_way_of_the_copies_is_an_error),
        TEST(what_cannot_be_written_is_an_error),
        TEST(what_cannot_be_written_at_the_end_is_an_error),
    };

    return cmocka_run_group_tests_name("trace_csv", tests, NULL, NULL);
}

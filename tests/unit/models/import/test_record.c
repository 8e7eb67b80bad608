/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "models/base/input.h"
#include "models/format/platform_xml.h"
#include "models/import/record.h"
#include "tests/support/temp_file.h"

static struct orr_record *read_text(const char *text, GError **error)
{
    char *path = temp_file_new(text, strlen(text));
    struct orr_record *record = orr_record_read(path, error);

    temp_file_remove(path);
    return record;
}

static struct orr_record *expect_record(const char *text, unsigned count)
{
    GError *error = NULL;
    struct orr_record *record = read_text(text, &error);

    if (error)
        fail_msg("%s", error->message);
    assert_int_equal(record->count, count);
    return record;
}

/* @message is the error without the name of the file. */
static void expect_refused(const char *text, enum orr_error code,
                           const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(read_text(text, &error));
    assert_int_equal(error->code, code);
    if (!g_str_has_suffix(error->message, message))
        fail_msg("'%s' does not end in '%s'", error->message, message);
}

static const char starpu[] = "# made by hand\n"
                             "JobId: 2\n"
                             "DependsOn: 1\n"
                             "\n"
                             "Name: dgemm\n"
                             "Model: dgemm\n"
                             "JobId: 7\n"
                             "WorkerId: 4\n"
                             "SubmitTime: 3.5\n"
                             "StartTime: 10.000001\n"
                             "EndTime: 12.5\n"
                             "Parameters: M960x960x8_M960x960x8\n"
                             "\n"
                             "\n"
                             "Control: WontUse\n"
                             "JobId: 8\n"
                             "SubmitTime: 2\n"
                             "\n"
                             "Name: a task\n"
                             "WorkerId: 0\n"
                             "SubmitTime: 3.25\n"
                             "StartTime: 11\n"
                             "EndTime: 12\n"
                             "Parameters: V12\n";

static void tasks_of_starpu_are_put_in_order_of_submission(void **state)
{
    struct orr_record *record = expect_record(starpu, 2);

    (void)state;
    assert_string_equal(record->tasks[0].name, "a task");
    assert_int_equal(record->tasks[0].worker, 0);
    assert_int_equal(record->tasks[0].tile, 0);
    assert_int_equal(record->tasks[0].duration, ORR_MS);
    assert_int_equal(record->tasks[0].line, 19);
    assert_string_equal(record->tasks[1].name, "dgemm");
    assert_int_equal(record->tasks[1].worker, 4);
    assert_int_equal(record->tasks[1].tile, 960);
    assert_int_equal(record->tasks[1].duration, 2499999);
    orr_record_free(record);
}

static void numbers_of_submission_count_more_than_dates(void **state)
{
    struct orr_record *record =
        expect_record("Name: a\nSubmitOrder: 9\nStartTime: 1\nEndTime: 2\n\n"
                      "Name: b\nSubmitOrder: 8\nStartTime: 3\nEndTime: 4\n",
                      2);

    (void)state;
    assert_string_equal(record->tasks[0].name, "b");
    assert_int_equal(record->tasks[0].worker, ORR_RECORD_NO_WORKER);
    orr_record_free(record);
}

static void traces_of_ours_are_read(void **state)
{
    struct orr_record *record = expect_record(
        "submit_order,name,worker,priority,submit_ms,start_ms,end_ms,modes\n"
        "1,\"a, \"\"b\"\"\",0,0,0.000000,1.000000,1.000001,R RW\r\n"
        "0,GEMM,2,0,0,5,7.25,\n",
        2);

    (void)state;
    assert_string_equal(record->tasks[0].name, "GEMM");
    assert_int_equal(record->tasks[0].worker, 2);
    assert_int_equal(record->tasks[0].duration, 2250000);
    assert_string_equal(record->tasks[1].name, "a, \"b\"");
    assert_int_equal(record->tasks[1].duration, 1);
    orr_record_free(record);
}

/* Fields in quotation marks hold line breaks and quotation marks. */
static void a_row_of_csv_may_hold_line_breaks(void **state)
{
    struct orr_record *record = expect_record("name,duration_us\r\n"
                                              "\"a\r\nb,\"\"\n\r\",5\r\n"
                                              "c,6\n"
                                              "\"\r\",7",
                                              3);

    (void)state;
    assert_string_equal(record->tasks[0].name, "a\r\nb,\"\n\r");
    assert_int_equal(record->tasks[0].line, 2);
    assert_string_equal(record->tasks[1].name, "c");
    assert_int_equal(record->tasks[1].line, 5);
    assert_string_equal(record->tasks[2].name, "\r");
    orr_record_free(record);
    expect_refused("name,duration_us\n\"a\nb\",5\nc,\n", ORR_ERROR_VALUE,
                   ":4: duration_us: '': expected a time in us");
}

static void a_quoted_field_that_does_not_end_is_refused(void **state)
{
    GString *text = g_string_new("name,duration_us\n\"a,1\nb,2\n");

    (void)state;
    expect_refused(text->str, ORR_ERROR_SYNTAX,
                   ":2: a quoted field does not end");
    while (text->len < 2 * ORR_INPUT_MAX_LINE)
        g_string_append(text, "0123456789,0123456789,0123456789\n");
    expect_refused(text->str, ORR_ERROR_SYNTAX,
                   ":2: a quoted field does not end");
    g_string_free(text, TRUE);
}

static void tasks_without_a_name_are_refused(void **state)
{
    struct orr_record *record =
        expect_record("Model:\nName: a\nStartTime: 1\nEndTime: 2\n", 1);

    (void)state;
    assert_string_equal(record->tasks[0].name, "a");
    orr_record_free(record);
    expect_refused("JobId: 1\n\nName:\nStartTime: 1\nEndTime: 2\n",
                   ORR_ERROR_VALUE, ":3: Name: empty");
    expect_refused("Model: \nStartTime: 1\nEndTime: 2\n", ORR_ERROR_VALUE,
                   ":1: Model: empty");
    expect_refused("name,duration_us\na,5\n\"\",5\n", ORR_ERROR_VALUE,
                   ":3: name: empty");
}

static void dates_of_kernels_come_before_those_of_drivers(void **state)
{
    struct orr_record *record = expect_record(
        "name,start_ms,end_ms,kernel_start_ms,kernel_end_ms\na,1,1.25,0,3\n",
        1);

    (void)state;
    assert_int_equal(record->tasks[0].duration, 3 * ORR_MS);
    orr_record_free(record);
    record = expect_record("kernel_start_ms,kernel_end_ms,name\n1,3,a\n", 1);
    assert_int_equal(record->tasks[0].duration, 2 * ORR_MS);
    orr_record_free(record);
    record =
        expect_record("name,start_ms,end_ms,kernel_start_ms\na,1,2,0\n", 1);
    assert_int_equal(record->tasks[0].duration, ORR_MS);
    orr_record_free(record);
    record = expect_record("name,kernel_start_ms,kernel_end_ms,duration_ms\n"
                           "a,1,2,4\n",
                           1);
    assert_int_equal(record->tasks[0].duration, 4 * ORR_MS);
    orr_record_free(record);
    expect_refused("name,start_ms,end_ms,kernel_start_ms,kernel_end_ms\n"
                   "a,1,2,2,2\n",
                   ORR_ERROR_VALUE, ":2: the duration of a task is 0");
}

static void csv_may_hold_durations_in_any_unit(void **state)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    orr_time expected = 3;

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        g_autofree char *text = g_strdup_printf("tile,duration_%s,device,name\n"
                                                "320,3,CUDA1,gemm\n",
                                                units[i]);
        struct orr_record *record = expect_record(text, 1);

        assert_int_equal(record->tasks[0].duration, expected);
        assert_int_equal(record->tasks[0].tile, 320);
        assert_string_equal(record->tasks[0].device, "CUDA1");
        orr_record_free(record);
        expected *= 1000;
    }
}

static void durations_that_are_none_are_refused(void **state)
{
    (void)state;
    expect_refused("name,duration_us\na,5\nb,nan\n", ORR_ERROR_VALUE,
                   ":3: duration_us: 'nan': expected a time in us");
    expect_refused("name,duration_us\na,-5\n", ORR_ERROR_VALUE,
                   ":2: duration_us: '-5': expected a time in us");
    expect_refused("name,duration_us\na,0\n", ORR_ERROR_VALUE,
                   ":2: the duration of a task is 0");
    expect_refused("name,start_ms,end_ms\na,2,1\n", ORR_ERROR_VALUE,
                   ":2: the duration of a task is negative");
    expect_refused("name,duration_us\na,\n", ORR_ERROR_VALUE,
                   ":2: duration_us: '': expected a time in us");
    expect_refused("Name: a\nStartTime: inf\nEndTime: 3\n", ORR_ERROR_VALUE,
                   ": StartTime: 'inf': expected a time in ms");
    expect_refused("Name: a\nStartTime: 5\nEndTime: 5\n\n", ORR_ERROR_VALUE,
                   ":1: the duration of a task is 0");
}

static void files_that_are_no_records_are_refused(void **state)
{
    (void)state;
    expect_refused("", ORR_ERROR_SYNTAX, ":1: the file is empty");
    expect_refused("\n\n", ORR_ERROR_SYNTAX, ":1: the file is empty");
    expect_refused("Name: a\nnonsense\n", ORR_ERROR_SYNTAX,
                   ":2: expected a field, as 'Name: value'");
    expect_refused("JobId: 1\n\nJobId: 2\n", ORR_ERROR_VALUE,
                   ":3: no task with a duration");
    expect_refused("name,duration_us\n", ORR_ERROR_VALUE,
                   ":1: no task with a duration");
    expect_refused("name,duration_us\na,1,2\n", ORR_ERROR_SYNTAX,
                   ":2: 3 fields under 2 columns");
    expect_refused("name,duration_us\n\"a,1\n", ORR_ERROR_SYNTAX,
                   ":2: a quoted field does not end");
    expect_refused("name,worker\na,1\n", ORR_ERROR_SYNTAX,
                   "duration_ms or duration_s");
    expect_refused("name,duration_us,worker\na,1,-1\n", ORR_ERROR_VALUE,
                   ":2: worker: '-1': expected a whole number from 0 to "
                   "1000000");
    expect_refused("name,duration_us\n\xff,1\n", ORR_ERROR_SYNTAX,
                   ":2: not text in UTF-8");
}

static void absent_files_are_named(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_record_read("/nowhere/a.rec", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message,
                        "/nowhere/a.rec: No such file or directory");
}

static struct orr_platform *everything(void)
{
    g_autofree char *path = source_file("tests/platforms/everything.xml");

    return orr_platform_read(path, NULL);
}

static void names_are_starpus_symbols_or_the_kernels(void **state)
{
    const struct orr_platform_kernel gemm = {.family = (char *)"cholesky",
                                             .name = (char *)"gemm",
                                             .precision = ORR_DOUBLE};
    const char *const yes[] = {"dgemm", "GEMM", "gemm", "cholesky/gemm",
                               "cholesky/gemm/double"};
    const char *const no[] = {"chol_model_gemm",
                              "starpu_dlu_lu_model_gemm",
                              "gem",
                              "dtrsm",
                              "lu/gemm",
                              "cholesky/gemm2",
                              "cholesky/gemm/single",
                              "/gemm"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(yes); i++) {
        struct orr_record_task task = {.name = yes[i]};

        assert_true(orr_record_is(&task, &gemm));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(no); i++) {
        struct orr_record_task task = {.name = no[i]};

        assert_false(orr_record_is(&task, &gemm));
    }
}

static void kernels_of_the_application_are_not_starpus(void **state)
{
    const struct orr_platform_kernel own = {.family = (char *)"",
                                            .name = (char *)"sgeqrt",
                                            .precision = ORR_SINGLE};
    const char *const yes[] = {"sgeqrt", "/sgeqrt"};
    const char *const no[] = {"geqrt", "qr/sgeqrt", "sgemm"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(yes); i++) {
        struct orr_record_task task = {.name = yes[i]};

        assert_true(orr_record_is(&task, &own));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(no); i++) {
        struct orr_record_task task = {.name = no[i]};

        assert_false(orr_record_is(&task, &own));
    }
}

static void devices_go_by_name_or_by_worker(void **state)
{
    struct orr_platform *platform = everything();
    struct orr_record_task task = {.worker = 1, .node = ORR_RECORD_NO_NODE};
    unsigned device;

    (void)state;
    assert_true(orr_record_device(&task, platform, 2, &device));
    assert_int_equal(device, 2);
    assert_true(orr_record_device(&task, platform, 1, &device));
    assert_int_equal(device, 0);
    task.device = "CUDA1";
    assert_true(orr_record_device(&task, platform, 0, &device));
    assert_int_equal(device, 2);
    task.device = "CPU12";
    assert_true(orr_record_device(&task, platform, 0, &device));
    assert_int_equal(device, 0);
    task.device = "CPUs";
    assert_false(orr_record_device(&task, platform, 0, &device));
    task.device = "CUDA7";
    assert_false(orr_record_device(&task, platform, 0, &device));
    task = (struct orr_record_task){.worker = ORR_RECORD_NO_WORKER,
                                    .node = ORR_RECORD_NO_NODE};
    assert_false(orr_record_device(&task, platform, 2, &device));
    orr_platform_free(platform);
}

/* Worker 3 is a GPU where there are four, and a core where there are two. */
static void devices_go_by_memory_node_before_the_worker(void **state)
{
    static const char *const texts[] = {
        "Name: dgemm\nWorkerId: 3\nMemoryNode: 2\nStartTime: 1\n"
        "EndTime: 2\n\n",
        "name,worker,worker_name,duration_ms\ndgemm,3,CUDA1,1\n"};
    struct orr_platform *platform = everything();
    struct orr_record_task nowhere = {.node = 7};
    unsigned device;

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct orr_record *record = expect_record(texts[i], 1);

        assert_true(orr_record_device(&record->tasks[0], platform, 2, &device));
        assert_int_equal(device, 2);
        orr_record_free(record);
    }
    assert_false(orr_record_device(&nowhere, platform, 2, &device));
    orr_platform_free(platform);
}

ORR_TESTS(record)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_of_starpu_are_put_in_order_of_submission),
        cmocka_unit_test(numbers_of_submission_count_more_than_dates),
        cmocka_unit_test(traces_of_ours_are_read),
        cmocka_unit_test(a_row_of_csv_may_hold_line_breaks),
        cmocka_unit_test(a_quoted_field_that_does_not_end_is_refused),
        cmocka_unit_test(tasks_without_a_name_are_refused),
        cmocka_unit_test(dates_of_kernels_come_before_those_of_drivers),
        cmocka_unit_test(csv_may_hold_durations_in_any_unit),
        cmocka_unit_test(durations_that_are_none_are_refused),
        cmocka_unit_test(files_that_are_no_records_are_refused),
        cmocka_unit_test(absent_files_are_named),
        cmocka_unit_test(names_are_starpus_symbols_or_the_kernels),
        cmocka_unit_test(kernels_of_the_application_are_not_starpus),
        cmocka_unit_test(devices_go_by_name_or_by_worker),
        cmocka_unit_test(devices_go_by_memory_node_before_the_worker),
    };

    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}

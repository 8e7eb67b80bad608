/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of tasks that have no calibration. */
#include "apps/starpu/model/source.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <starpu_perfmodel.h>

#include <glib/gstdio.h>
#include <stdlib.h>

static struct starpu_perfmodel model = {.symbol = "scale_model"};
static struct starpu_codelet codelet = {.name = "scale", .model = &model};

/* The times of a task of @flops. */
static struct orr_task_times times_of(double flops, enum orr_where where)
{
    struct starpu_task task = {.cl = &codelet, .flops = flops};
    struct orr_task_times times = {ORR_TASK_TIMES_INIT};

    if (!sp_source_times(&task, where, &times))
        times.cpu_ns = times.gpu_ns = -1;
    return times;
}

static void flops_take_time_by_the_speeds(void **state)
{
    struct orr_task_times times;

    (void)state;
    setenv("ORRERY_STARPU_ASSUME_SPEED", "CPU=20GFlop/s,CUDA=1TFlop/s", 1);
    sp_sources_begin();
    times = times_of(2e9, ORR_WHERE_ANY);
    assert_int_equal(times.cpu_ns, 100000000);
    assert_int_equal(times.gpu_ns, 2000000);
    assert_int_equal(times.source, ORR_TIMES_FLOPS);
    times = times_of(2e9, ORR_WHERE_GPU);
    assert_int_equal(times.cpu_ns, 0);
    assert_int_equal(times_of(0, ORR_WHERE_ANY).cpu_ns, -1);
    unsetenv("ORRERY_STARPU_ASSUME_SPEED");
    sp_sources_end();
    sp_sources_begin();
    assert_int_equal(times_of(2e9, ORR_WHERE_ANY).cpu_ns, -1);
    sp_sources_end();
}

/* Writes the file of times; returns its path, to free. */
static char *write_times(const char *text)
{
    char *path = g_strdup("orrery-times-XXXXXX");
    int file = g_mkstemp(path);

    assert_true(file >= 0);
    g_close(file, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
    setenv("ORRERY_STARPU_TIMES", path, 1);
    return path;
}

static void clear_times(char *path)
{
    unsetenv("ORRERY_STARPU_TIMES");
    sp_sources_end();
    g_remove(path);
    g_free(path);
}

static void a_file_has_times_by_codelet_or_symbol(void **state)
{
    char *path = write_times("# measured\n\nscale - cpu 500\n"
                             "scale\t-\tgpu\t7 # fast\nscale 8 cpu 1\n");
    struct orr_task_times times;

    (void)state;
    sp_sources_begin();
    times = times_of(0, ORR_WHERE_ANY);
    assert_int_equal(times.cpu_ns, 500);
    assert_int_equal(times.gpu_ns, 7);
    assert_int_equal(times.source, ORR_TIMES_RECORDED);
    clear_times(path);
    path = write_times("scale_model - cpu 9\n");
    sp_sources_begin();
    assert_int_equal(times_of(0, ORR_WHERE_ANY).cpu_ns, 9);
    clear_times(path);
}

static void expect_speed_refused(const char *value, const char *message)
{
    g_autofree char *line = NULL;

    setenv("ORRERY_STARPU_ASSUME_SPEED", value, 1);
    line = orr_ending_message(sp_sources_begin);
    assert_string_equal(line, message);
    unsetenv("ORRERY_STARPU_ASSUME_SPEED");
}

static void expect_file_refused(const char *text, const char *message)
{
    char *path = write_times(text);
    g_autofree char *line = orr_ending_message(sp_sources_begin);
    g_autofree char *expected =
        g_strdup_printf("ORRERY_STARPU_TIMES: %s:%s", path, message);

    assert_string_equal(line, expected);
    clear_times(path);
}

static void errors_name_variable_and_line(void **state)
{
    (void)state;
    expect_speed_refused("CPU=20",
                         "ORRERY_STARPU_ASSUME_SPEED: 'CPU=20' is not "
                         "CPU=SPEED or CUDA=SPEED, as CPU=20GFlop/s");
    expect_speed_refused("FPGA=1TFlop/s",
                         "ORRERY_STARPU_ASSUME_SPEED: 'FPGA=1TFlop/s' is not "
                         "CPU=SPEED or CUDA=SPEED, as CPU=20GFlop/s");
    expect_file_refused("\nscale - cpu\n", "2: not CODELET SIZES CLASS NS");
    expect_file_refused("scale - cpu 5 ns\n", "1: not CODELET SIZES CLASS NS");
    expect_file_refused("scale - fpga 5\n",
                        "1: 'fpga' is no class of workers: cpu or gpu");
    expect_file_refused("scale - cpu 0\n",
                        "1: '0' is no time in ns: 1 to 1e15");
    expect_file_refused("scale - cpu 5\nscale - cpu 5\n",
                        "2: scale - has a time on cpu already");
}

ORR_TESTS(starpu_source)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flops_take_time_by_the_speeds),
        cmocka_unit_test(a_file_has_times_by_codelet_or_symbol),
        cmocka_unit_test(errors_name_variable_and_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that the application submits and the run leaves out. */
#include "runtime/config/run_config.h"
#include "tests/support/temp_file.h"
#include "tests/support/unit_run.h"

enum { BYTES = 1000 };

/* A chain of @count tasks, without those of @left_out. */
static struct unit_run *run_chain(unsigned count, const uint64_t *left_out,
                                  size_t left_out_count)
{
    struct orr_config config;
    struct unit_run *unit;
    struct orr_data *data;

    orr_config_init(&config);
    config.cpus = 1;
    config.gpus = 0;
    config.models = "overheads=off";
    config.left_out = left_out;
    config.left_out_count = left_out_count;
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, BYTES);
    for (unsigned i = 0; i < count; i++)
        unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    return unit;
}

static void tasks_left_out_do_not_run(void **state)
{
    static const uint64_t left_out[] = {0, 2, 3};
    struct unit_run *unit = run_chain(6, left_out, 3);

    (void)state;
    assert_int_equal(orr_run_report(unit->run)->tasks, 3);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 3 * ORR_MS);
    unit_run_free(unit);
}

/* So that a trace speaks of the same tasks, and draws are the same. */
static void the_others_keep_their_numbers(void **state)
{
    static const uint64_t left_out[] = {0, 2, 3};
    struct unit_run *unit = run_chain(6, left_out, 3);

    (void)state;
    assert_int_equal(unit->tasks->len, 3);
    assert_int_equal(unit_task(unit, 0)->order, 1);
    assert_int_equal(unit_task(unit, 1)->order, 4);
    assert_int_equal(unit_task(unit, 2)->order, 5);
    unit_run_free(unit);
}

static void all_may_be_left_out(void **state)
{
    static const uint64_t left_out[] = {0, 1, 2};
    struct unit_run *unit = run_chain(3, left_out, 3);

    (void)state;
    assert_int_equal(orr_run_report(unit->run)->tasks, 0);
    unit_run_free(unit);
}

static void numbers_beyond_the_last_task_mean_nothing(void **state)
{
    static const uint64_t left_out[] = {1, 1000};
    struct unit_run *unit = run_chain(3, left_out, 2);

    (void)state;
    assert_int_equal(orr_run_report(unit->run)->tasks, 2);
    unit_run_free(unit);
}

/* A mapping by ranks has only the tasks that do work: task 1 synchronises. */
static void ranks_of_a_mapping_do_not_count_them(void **state)
{
    static const uint64_t left_out[] = {1};
    static const char text[] = "Name: unit\nSubmitOrder: 10\nWorkerId: 0\n"
                               "StartTime: 0\n\n"
                               "Name: unit\nSubmitOrder: 30\nWorkerId: 1\n"
                               "StartTime: 1\n";
    char *path = temp_file_new(text, strlen(text));
    g_autofree char *sched = g_strconcat("fixed:", path, NULL);
    struct orr_config config;
    struct unit_run *unit;
    struct orr_data *data;

    (void)state;
    orr_config_init(&config);
    config.sched = sched;
    config.cpus = 2;
    config.gpus = 0;
    config.models = "overheads=off";
    config.left_out = left_out;
    config.left_out_count = 1;
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, BYTES);
    unit_submit(unit, data, ORR_RW);
    orr_task_submit(unit->run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                                       .synchronises = true});
    unit_submit(unit, data, ORR_RW);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 2);
    assert_int_equal(unit_task(unit, 1)->order, 2);
    assert_int_equal(unit_task(unit, 1)->worker, 1);
    unit_run_free(unit);
    temp_file_remove(path);
}

ORR_TESTS(left_out)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_left_out_do_not_run),
        cmocka_unit_test(the_others_keep_their_numbers),
        cmocka_unit_test(all_may_be_left_out),
        cmocka_unit_test(numbers_beyond_the_last_task_mean_nothing),
        cmocka_unit_test(ranks_of_a_mapping_do_not_count_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prefetches and evictions that the application asks for. */
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

static const struct orr_trace_copy *copy(const struct unit_run *unit,
                                         unsigned i)
{
    return &g_array_index(unit->copies, struct orr_trace_copy, i);
}

static void check_prefetch(bool idle)
{
    struct unit_run *unit = unit_run_on("eager", 1, 2);
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    if (idle)
        orr_data_idle_prefetch(unit->run, data, 2);
    else
        orr_data_prefetch(unit->run, data, 2);
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(copy(unit, 0)->to_node, 2);
    assert_string_equal(copy(unit, 0)->why, idle ? "idle" : "prefetch");
    assert_int_equal(data->valid, 1u << 0 | 1u << 2);
    unit_run_free(unit);
}

static void a_copy_comes_without_a_task(void **state)
{
    (void)state;
    check_prefetch(false);
    check_prefetch(true);
}

/* Now, before "late" has written the datum; later, once it has. */
static void it_waits_for_a_writer_under_way_alone(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    static const unsigned cpu = 1;
    const struct orr_access access = {data, ORR_W};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .name = "write", .count = 1,
        .accesses = &access, .worker_count = 1,    .workers = &cpu};

    (void)state;
    orr_task_submit(unit->run, &spec);
    orr_data_prefetch(unit->run, data, 1);
    spec = (struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                  .worker_count = 1, .workers = &cpu};
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_true(copy(unit, 0)->started >= unit_task(unit, 0)->ended);
    assert_true(copy(unit, 0)->started <= unit_task(unit, 0)->ended + 300 * US);
    assert_int_equal(data->valid, 3);
    unit_run_free(unit);
}

static void nothing_is_copied_twice(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        orr_data_prefetch(unit->run, data, 1);
    orr_data_prefetch(unit->run, data, 0);
    for (unsigned i = 0; i < 9; i++)
        unit_submit_bare(unit);
    orr_data_prefetch(unit->run, data, 1);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    unit_run_free(unit);
}

static void a_node_exists(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    GError *error = NULL;

    (void)state;
    orr_data_prefetch(unit->run, data, 2);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "there is no memory node 2: expected 0, for RAM, to "
                        "1, for the last GPU");
    g_error_free(error);
    unit_run_free(unit);
}

static void a_copy_is_evicted(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);

    (void)state;
    assert_false(orr_data_evict(unit->run, data, 1)); /* there is none */
    orr_data_prefetch(unit->run, data, 1);
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(data->valid, 3);
    assert_false(orr_data_evict(unit->run, data, 0));
    assert_true(orr_data_evict(unit->run, data, 1));
    assert_int_equal(data->valid, 1);
    assert_false(orr_data_evict(unit->run, data, 1));
    assert_int_equal(orr_run_report(unit->run)->evictions, 1);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    unit_run_free(unit);
}

/* The task writes the datum on the GPU, where it is evicted after that alone:
 * it comes to RAM first. */
static void the_only_copy_is_saved(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    static const unsigned gpu = 0;
    const struct orr_access access = {data, ORR_W};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .name = "write", .count = 1,
        .accesses = &access, .worker_count = 1,    .workers = &gpu};

    (void)state;
    orr_task_submit(unit->run, &spec);
    assert_false(orr_data_evict(unit->run, data, 1));
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(data->valid, 2);
    assert_true(orr_data_evict(unit->run, data, 1));
    assert_int_equal(data->valid, 1);
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    assert_int_equal(copy(unit, 0)->to_node, 0);
    unit_run_free(unit);
}

/* The driver allocates a buffer, and then copies. A copy that a writer makes
 * invalid keeps its buffer. */
static void a_program_sees_what_a_node_has(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *data = orr_data_register(unit->run, 4000000);
    static const unsigned cpu = 1;
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,  .kernel = unit->unit, .name = "write", .count = 1,
        .accesses = &access, .worker_count = 1,    .workers = &cpu};

    (void)state;
    assert_int_equal(orr_data_state(unit->run, data, 0),
                     ORR_DATA_VALID | ORR_DATA_ALLOCATED);
    assert_int_equal(orr_data_state(unit->run, data, 1), 0);
    orr_data_prefetch(unit->run, data, 1);
    assert_true(orr_run_sleep(unit->run, 100 * US, NULL));
    assert_int_equal(orr_data_state(unit->run, data, 1),
                     ORR_DATA_REQUESTED | ORR_DATA_LOADING);
    assert_true(orr_run_sleep(unit->run, 200 * US, NULL));
    assert_int_equal(orr_data_state(unit->run, data, 1),
                     ORR_DATA_ALLOCATED | ORR_DATA_REQUESTED |
                         ORR_DATA_LOADING);
    assert_true(orr_run_sleep(unit->run, 1000 * US, NULL));
    assert_int_equal(orr_data_state(unit->run, data, 1),
                     ORR_DATA_VALID | ORR_DATA_ALLOCATED);
    orr_task_submit(unit->run, &spec);
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(orr_data_state(unit->run, data, 1), ORR_DATA_ALLOCATED);
    unit_wait(unit);
    unit_run_free(unit);
}

ORR_TESTS(prefetch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_comes_without_a_task),
        cmocka_unit_test(it_waits_for_a_writer_under_way_alone),
        cmocka_unit_test(nothing_is_copied_twice),
        cmocka_unit_test(a_node_exists),
        cmocka_unit_test(a_copy_is_evicted),
        cmocka_unit_test(the_only_copy_is_saved),
        cmocka_unit_test(a_program_sees_what_a_node_has),
    };

    return cmocka_run_group_tests_name("prefetch", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that do no work, and order others. */
#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

static struct unit_run *begin(uint64_t window)
{
    struct orr_config config = unit_config("eager", 2, 0);

    config.models = "clean,overheads=off";
    config.window.most = window;
    return unit_run_new("three-gpus.xml", &config);
}

static void synchronise(struct unit_run *unit, struct orr_task_spec spec)
{
    spec.synchronises = true;
    orr_task_submit(unit->run, &spec);
}

static void it_orders_by_data_and_takes_no_time(void **state)
{
    struct unit_run *unit = begin(0);
    struct orr_data *data = orr_data_register(unit->run, 4);
    struct orr_data *other = orr_data_register(unit->run, 4);
    const struct orr_access both[] = {{data, ORR_RW}, {other, ORR_RW}};
    const struct orr_report *report;

    (void)state;
    unit_submit(unit, data, ORR_W);
    synchronise(unit, (struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = 2,
                                             .accesses = both});
    unit_submit(unit, other, ORR_R);
    unit_wait(unit);
    report = orr_run_report(unit->run);
    assert_int_equal(report->makespan_ns, 2000 * US);
    assert_int_equal(report->tasks, 3);
    assert_int_equal(report->times_from[ORR_TIMES_NONE], 1);
    assert_int_equal(report->times_of_kernels, 2);
    assert_int_equal(report->sources.mean, 2);
    assert_int_equal(unit->tasks->len, 2);
    assert_int_equal(unit_task(unit, 1)->order, 2);
    assert_int_equal(unit_task(unit, 1)->started, 1000 * US);
    unit_run_free(unit);
}

static void it_orders_by_tags_within_a_window(void **state)
{
    static const uint64_t first = 1, second = 2;
    struct unit_run *unit = begin(1);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .tag = first};

    (void)state;
    orr_task_submit(unit->run, &spec);
    synchronise(unit,
                (struct orr_task_spec){ORR_TASK_SPEC_INIT, .tag = second,
                                       .wait_count = 1, .wait_tags = &first});
    spec = (struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                  .wait_count = 1, .wait_tags = &second};
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 2000 * US);
    unit_run_free(unit);
}

struct parents {
    struct orr_trace trace; /* first */
    unsigned count;         /* of the last task */
    uint64_t first, second;
};

static void take_parents(struct orr_trace *trace,
                         const struct orr_trace_task *task)
{
    struct parents *parents = (struct parents *)trace;

    parents->count = task->parent_count;
    parents->first = task->parent_count > 0 ? task->parents[0] : UINT64_MAX;
    parents->second = task->parent_count > 1 ? task->parents[1] : UINT64_MAX;
}

/* Two tasks write; two that synchronise, one behind the other, await both. */
static void its_parents_stand_for_it(void **state)
{
    struct parents parents = {.trace = {ORR_TRACE_INIT, .task = take_parents,
                                        .wants = ORR_TRACE_PARENTS}};
    struct orr_config config = unit_config("eager", 1, 0);
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    struct unit_run unit = {.run = NULL};
    struct orr_data *data[3];

    (void)state;
    config.platform = path;
    config.trace = &parents.trace;
    unit.run = orr_run_new(&config, NULL);
    unit.unit = orr_kernel_find(unit.run, "test", "unit", ORR_SINGLE_PRECISION,
                                960, NULL);
    for (unsigned i = 0; i < 3; i++)
        data[i] = orr_data_register(unit.run, 4);
    unit_submit(&unit, data[0], ORR_W);
    unit_submit(&unit, data[1], ORR_W);
    for (unsigned i = 0; i < 2; i++) {
        const struct orr_access accesses[] = {
            {data[0], ORR_R}, {data[1], ORR_R}, {data[2], ORR_RW}};

        synchronise(&unit,
                    (struct orr_task_spec){ORR_TASK_SPEC_INIT, .count = 3,
                                           .accesses = accesses});
    }
    unit_submit(&unit, data[2], ORR_RW);
    assert_true(orr_run_wait(unit.run, NULL));
    assert_int_equal(parents.count, 2);
    assert_int_equal(parents.first, 0);
    assert_int_equal(parents.second, 1);
    orr_run_free(unit.run);
}

static void a_hang_names_it(void **state)
{
    static const uint64_t never = 7;
    struct unit_run *unit = begin(0);
    g_autoptr(GError) error = NULL;

    (void)state;
    synchronise(unit,
                (struct orr_task_spec){ORR_TASK_SPEC_INIT, .name = "gate",
                                       .wait_count = 1, .wait_tags = &never});
    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
    assert_non_null(strstr(error->message, "task 0 (gate)"));
    unit_run_free(unit);
}

static void with_a_kernel_it_is_refused(void **state)
{
    struct unit_run *unit = begin(0);
    g_autoptr(GError) error = NULL;

    (void)state;
    synchronise(
        unit, (struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = unit->unit});
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, "task 0 (unit): it synchronises, but "
                                        "has a kernel or times");
    unit_run_free(unit);
}

ORR_TESTS(synchronise)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_orders_by_data_and_takes_no_time),
        cmocka_unit_test(it_orders_by_tags_within_a_window),
        cmocka_unit_test(its_parents_stand_for_it),
        cmocka_unit_test(a_hang_names_it),
        cmocka_unit_test(with_a_kernel_it_is_refused),
    };

    return cmocka_run_group_tests_name("synchronise", tests, NULL, NULL);
}

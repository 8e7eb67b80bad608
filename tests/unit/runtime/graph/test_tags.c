/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that wait for tasks by their tags. */
#include <string.h>

#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/recording.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* Without runtime costs a task takes 1000 us and nothing else any time. */
static struct unit_run *make_without(const uint64_t *left_out, size_t count,
                                     int cpus, uint64_t window)
{
    struct orr_config config;

    orr_config_init(&config);
    config.left_out = left_out;
    config.left_out_count = count;
    config.sched = "eager";
    config.cpus = cpus;
    config.gpus = 0;
    config.window.most = window;
    config.models = "overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

static struct unit_run *make(int cpus, uint64_t window)
{
    return make_without(NULL, 0, cpus, window);
}

/* A task with @tag that waits for @awaited; 0: for none. */
static void submit(struct unit_run *unit, const char *name, uint64_t tag,
                   uint64_t awaited)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit,       .name = name,
        .tag = tag,         .wait_count = awaited != 0, .wait_tags = &awaited,
    };

    orr_task_submit(unit->run, &spec);
}

static void check_failure(struct unit_run *unit, int code, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, code));
    assert_non_null(strstr(error->message, message));
}

static void a_task_waits_for_one_submitted_before(void **state)
{
    struct unit_run *unit = make(4, 0);

    (void)state;
    submit(unit, "first", 7, 0);
    submit(unit, "second", 0, 7);
    submit(unit, "other", 0, 0);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "first"), 0);
    assert_int_equal(unit_start_of(unit, "second"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "other"), 0);
    unit_run_free(unit);
}

static void a_task_waits_for_one_submitted_later(void **state)
{
    struct unit_run *unit = make(4, 0);

    (void)state;
    submit(unit, "last", 0, 3);
    submit(unit, "middle", 3, 7);
    submit(unit, "first", 7, 0);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "first"), 0);
    assert_int_equal(unit_start_of(unit, "middle"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "last"), 2000 * US);
    unit_run_free(unit);
}

static void a_task_waits_for_all_the_tags_that_it_names(void **state)
{
    static const uint64_t tags[] = {1, 2, 1};
    struct unit_run *unit = make(4, 0);
    struct orr_task_spec join = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit,
        .name = "join",     .wait_count = G_N_ELEMENTS(tags),
        .wait_tags = tags,
    };

    (void)state;
    orr_task_submit(unit->run, &join);
    submit(unit, "first", 1, 0);
    submit(unit, "second", 2, 1);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "second"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "join"), 2000 * US);
    unit_run_free(unit);
}

static void nobody_waits_for_a_task_that_is_complete(void **state)
{
    struct unit_run *unit = make(4, 0);

    (void)state;
    submit(unit, "first", 7, 0);
    unit_wait(unit);
    submit(unit, "second", 0, 7);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "second"), 1000 * US);
    unit_run_free(unit);
}

static void tags_add_to_what_accesses_say(void **state)
{
    struct unit_run *unit = make(4, 0);
    struct orr_data *data = orr_data_register(unit->run, 1000);
    uint64_t awaited = 7;
    struct orr_task_spec reader = {
        ORR_TASK_SPEC_INIT,
        .kernel = unit->unit,
        .name = "reader",
        .count = 1,
        .accesses = (const struct orr_access[]){{data, ORR_R}},
        .wait_count = 1,
        .wait_tags = &awaited,
    };

    (void)state;
    unit_submit(unit, data, ORR_W);
    orr_task_submit(unit->run, &reader);
    submit(unit, "before", 5, 0);
    submit(unit, "tagged", 7, 5);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "tagged"), 1000 * US);
    assert_int_equal(unit_start_of(unit, "reader"), 2000 * US);
    unit_run_free(unit);
}

static void those_who_wait_start_in_the_order_of_submission(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    struct unit_run *unit = make(1, 0);

    (void)state;
    submit(unit, names[0], 0, 7);
    submit(unit, names[1], 0, 7);
    submit(unit, "tagged", 7, 0);
    submit(unit, names[2], 0, 7);
    submit(unit, names[3], 0, 7);
    unit_wait(unit);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        assert_string_equal(unit_task(unit, i + 1)->name, names[i]);
    unit_run_free(unit);
}

static void the_application_waits_for_a_tag(void **state)
{
    struct unit_run *unit = make(4, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    submit(unit, "first", 7, 0);
    submit(unit, "second", 8, 7);
    submit(unit, "third", 9, 8);
    assert_true(orr_run_wait_tag(unit->run, 8, &error));
    assert_int_equal(unit->tasks->len, 2);
    assert_true(orr_run_wait_tag(unit->run, 7, &error));
    assert_int_equal(unit->tasks->len, 2);
    submit(unit, "fourth", 0, 0);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "fourth"), 2000 * US);
    unit_run_free(unit);
}

static void a_tag_that_no_task_has_is_awaited_in_vain(void **state)
{
    struct unit_run *unit = make(1, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    submit(unit, "first", 7, 0);
    assert_false(orr_run_wait_tag(unit->run, 8, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
    assert_non_null(
        strstr(error->message, "the application waits for the tag 8"));
    assert_int_equal(orr_run_hang(unit->run)->kind, ORR_HANG_NEVER_SUBMITTED);
    submit(unit, "too late", 8, 0);
    check_failure(unit, ORR_ERROR_STALLED, "tag 8");
    assert_int_equal(unit->tasks->len, 1);
    unit_run_free(unit);
}

static void a_task_that_waits_in_vain_never_starts(void **state)
{
    struct unit_run *unit = make(1, 0);

    (void)state;
    submit(unit, "first", 0, 7);
    submit(unit, "second", 0, 0);
    check_failure(unit, ORR_ERROR_STALLED, "with 1 of 2 tasks left");
    unit_run_free(unit);
}

static void a_task_may_wait_for_itself(void **state)
{
    struct unit_run *unit = make(1, 0);

    (void)state;
    submit(unit, "snake", 7, 7);
    check_failure(unit, ORR_ERROR_STALLED, "with 1 of 1 tasks left");
    unit_run_free(unit);
}

static void a_tag_belongs_to_one_task(void **state)
{
    struct unit_run *unit = make(1, 0);

    (void)state;
    submit(unit, "first", 7, 0);
    unit_wait(unit);
    submit(unit, "second", 7, 0);
    submit(unit, "third", 7, 0);
    check_failure(
        unit, ORR_ERROR_VALUE,
        "task 1 (second) has the tag 7, which task 0 (first) has already");
    unit_run_free(unit);
}

static void tags_may_be_abandoned(void **state)
{
    struct unit_run *unit = make(1, 0);

    (void)state;
    for (uint64_t tag = 1; tag < 100; tag++)
        submit(unit, "chain", tag, tag + 1);
    unit_run_free(unit);
}

static void a_window_counts_tasks_that_wait(void **state)
{
    struct unit_run *unit = make(4, 2);

    (void)state;
    submit(unit, "first", 7, 0);
    submit(unit, "second", 0, 7);
    submit(unit, "third", 0, 0); /* is submitted when the first ends */
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "third"), 1000 * US);
    unit_run_free(unit);
}

static void who_waits_for_a_task_left_out_waits_for_what_it_awaits(void **state)
{
    static const uint64_t left_out[] = {1, 3};
    struct unit_run *unit = make_without(left_out, 2, 4, 0);

    (void)state;
    submit(unit, "last", 0, 3);
    submit(unit, "left out", 3, 7);
    submit(unit, "first", 7, 0);
    submit(unit, "without tag", 0, 7);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 2);
    assert_int_equal(unit_start_of(unit, "last"), 1000 * US);
    unit_run_free(unit);
}

static void the_application_waits_for_a_task(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit};

    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        spec.tag = i == 2 ? 7 : 0;
        assert_int_equal(orr_task_submit(unit->run, &spec), i);
    }
    for (uint64_t i = 1; i < 4; i++) {
        assert_true(orr_run_wait_task(unit->run, i, NULL));
        assert_int_equal(unit->tasks->len, i + 1);
        assert_int_equal(orr_run_report(unit->run)->makespan_ns,
                         (int64_t)(i + 1) * 1000 * US);
    }
    assert_true(orr_run_wait_task(unit->run, 0, NULL));
    assert_true(orr_run_wait_task(unit->run, 3, NULL));
    unit_run_free(unit);
}

/* The application begins to wait at every quarter of a us around the end of a
 * task with a successor. */
static void a_task_is_awaited_while_it_ends(void **state)
{
    (void)state;
    for (int64_t ns = 1000 * US; ns < 1010 * US; ns += 250) {
        struct unit_run *unit = unit_run_on("eager", 1, 0);
        struct orr_data *data = orr_data_register(unit->run, 1000);

        unit_submit(unit, data, ORR_RW);
        unit_submit(unit, data, ORR_RW);
        assert_true(orr_run_sleep(unit->run, ns, NULL));
        assert_true(orr_run_wait_task(unit->run, 0, NULL));
        unit_wait(unit);
        assert_int_equal(unit->tasks->len, 2);
        unit_run_free(unit);
    }
}

static void submit_seventh(struct orr_run *run, void *data)
{
    struct unit_run *unit = data;

    orr_task_submit(run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                                 .kernel = unit->unit,
                                                 .name = "first", .tag = 7});
}

/* While a submission waits for the window, a callback takes its tag. */
static void a_tag_is_taken_meanwhile(void **state)
{
    struct orr_config config = unit_with_window(1);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .callback = submit_seventh,
                                 .callback_data = unit};

    (void)state;
    orr_task_submit(unit->run, &spec);
    submit(unit, "second", 7, 0);
    check_failure(unit, ORR_ERROR_VALUE, "(first) has already");
    unit_run_free(unit);
}

static void a_task_awaited_in_vain_is_named(void **state)
{
    struct unit_run *unit = make(1, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    submit(unit, "first", 0, 9);
    assert_false(orr_run_wait_task(unit->run, 0, &error));
    assert_non_null(strstr(error->message,
                           "the application waits for task 0 (first) to end; "
                           "task 0 (first) waits for the tag 9, which no task "
                           "has"));
    submit(unit, "too late", 9, 0);
    check_failure(unit, ORR_ERROR_STALLED, "the tag 9");
    unit_run_free(unit);
}

static void only_tasks_that_were_submitted_are_awaited(void **state)
{
    struct unit_run *unit = make(1, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    submit(unit, "first", 0, 0);
    assert_false(orr_run_wait_task(unit->run, 1, &error));
    assert_string_equal(error->message, "task 1, which was not submitted, "
                                        "cannot be awaited");
    assert_true(orr_task_submit(
                    unit->run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT,
                                                       .kernel = unit->unit}) ==
                UINT64_MAX);
    unit_run_free(unit);
}

static void tasks_left_out_are_complete(void **state)
{
    static const uint64_t left_out[] = {0};
    struct unit_run *unit = make_without(left_out, 1, 1, 0);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit};

    (void)state;
    assert_int_equal(orr_task_submit(unit->run, &spec), 0);
    assert_int_equal(orr_task_submit(unit->run, &spec), 1);
    assert_true(orr_run_wait_task(unit->run, 0, NULL));
    assert_int_equal(unit->tasks->len, 0);
    assert_true(orr_run_wait_task(unit->run, 1, NULL));
    assert_int_equal(unit->tasks->len, 1);
    unit_run_free(unit);
}

static void the_application_waits_for_a_task_in_lock_step(void **state)
{
    struct orr_config config = unit_config("eager", 1, 1);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT};
    struct unit_run *unit;

    (void)state;
    if (!orr_turns_lockstep)
        skip();
    config.models = "quirks=exact";
    unit = unit_run_new("three-gpus.xml", &config);
    spec.kernel = unit->unit;
    for (unsigned i = 0; i < 6; i++)
        orr_task_submit(unit->run, &spec);
    assert_true(orr_run_wait_task(unit->run, 3, NULL));
    assert_int_equal(unit_task(unit, unit->tasks->len - 1)->order, 3);
    unit_wait(unit);
    unit_run_free(unit);
}

/* A workload has the tasks in an order in which none awaits a later one. */
static void a_recording_has_awaited_tasks_first(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    submit(unit, "last", 0, 3);
    submit(unit, "first", 7, 0);
    submit(unit, "middle", 3, 7);
    assert_true(orr_run_wait_tag(unit->run, 3, NULL));
    for (unsigned twice = 0; twice < 2; twice++) {
        workload = orr_run_workload(unit->run);
        assert_int_equal(workload->task_count, 3);
        assert_int_equal(workload->first_predecessor[1], 0);
        assert_int_equal(workload->first_predecessor[2], 1);
        assert_int_equal(workload->first_predecessor[3], 2);
        assert_int_equal(workload->predecessors[0], 0);
        assert_int_equal(workload->predecessors[1], 1);
        assert_float_equal(orr_bound_critical_path(workload), 3e-3, 1e-9);
        orr_workload_free(workload);
    }
    unit_run_free(unit);
}

static void a_recording_bears_what_can_never_run(void **state)
{
    struct unit_run *unit = make(1, 0);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    submit(unit, "first", 1, 2);
    submit(unit, "second", 2, 1);
    submit(unit, "third", 3, 4);
    submit(unit, "fourth", 0, 0);
    workload = orr_run_workload(unit->run);
    assert_int_equal(workload->task_count, 4);
    assert_int_equal(workload->first_predecessor[4], 1);
    assert_float_equal(orr_bound_critical_path(workload), 2e-3, 1e-9);
    orr_workload_free(workload);
    unit_run_free(unit);
}

ORR_TESTS(tags)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_waits_for_one_submitted_before),
        cmocka_unit_test(a_task_waits_for_one_submitted_later),
        cmocka_unit_test(a_task_waits_for_all_the_tags_that_it_names),
        cmocka_unit_test(nobody_waits_for_a_task_that_is_complete),
        cmocka_unit_test(tags_add_to_what_accesses_say),
        cmocka_unit_test(those_who_wait_start_in_the_order_of_submission),
        cmocka_unit_test(the_application_waits_for_a_tag),
        cmocka_unit_test(the_application_waits_for_a_task),
        cmocka_unit_test(a_task_awaited_in_vain_is_named),
        cmocka_unit_test(only_tasks_that_were_submitted_are_awaited),
        cmocka_unit_test(tasks_left_out_are_complete),
        cmocka_unit_test(the_application_waits_for_a_task_in_lock_step),
        cmocka_unit_test(a_tag_that_no_task_has_is_awaited_in_vain),
        cmocka_unit_test(a_task_that_waits_in_vain_never_starts),
        cmocka_unit_test(a_task_may_wait_for_itself),
        cmocka_unit_test(a_tag_belongs_to_one_task),
        cmocka_unit_test(tags_may_be_abandoned),
        cmocka_unit_test(a_window_counts_tasks_that_wait),
        cmocka_unit_test(
            who_waits_for_a_task_left_out_waits_for_what_it_awaits),
        cmocka_unit_test(a_task_is_awaited_while_it_ends),
        cmocka_unit_test(a_tag_is_taken_meanwhile),
        cmocka_unit_test(a_recording_has_awaited_tasks_first),
        cmocka_unit_test(a_recording_bears_what_can_never_run),
    };

    return cmocka_run_group_tests_name("tags", tests, NULL, NULL);
}

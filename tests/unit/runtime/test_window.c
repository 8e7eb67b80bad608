/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application limits tasks in flight, counts them, and waits for some. */
#include "models/base/error.h"
#include "runtime/capture.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* One CPU; tasks take 1000 us. */
static struct unit_run *make(const char *models)
{
    struct orr_config config = unit_config("eager", 1, 0);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static void submit_bare(struct unit_run *unit, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        unit_submit_bare(unit);
}

static void assert_waits(struct unit_run *unit, uint64_t most)
{
    g_autoptr(GError) error = NULL;

    if (!orr_run_wait_in_flight(unit->run, most, &error))
        fail_msg("%s", error->message);
}

static void it_waits_until_so_many_are_left(void **state)
{
    struct unit_run *unit = make("overheads=off");

    (void)state;
    assert_waits(unit, 0);
    submit_bare(unit, 5);
    assert_waits(unit, UINT64_MAX);
    assert_waits(unit, 5);
    assert_int_equal(orr_run_now(unit->run), 0);
    assert_waits(unit, 2);
    assert_int_equal(orr_run_now(unit->run), 3000 * US);
    assert_waits(unit, 0);
    assert_int_equal(orr_run_now(unit->run), 5000 * US);
    assert_int_equal(unit->tasks->len, 5);
    unit_run_free(unit);
}

/* The second task awaits the first one. */
static void it_knows_how_many_are_left(void **state)
{
    struct unit_run *unit = make("overheads=off");
    struct orr_data *data = orr_data_register(unit->run, 1000);

    (void)state;
    assert_int_equal(orr_run_tasks_ready(unit->run), 0);
    unit_submit(unit, data, ORR_RW);
    unit_submit(unit, data, ORR_RW);
    unit_submit_bare(unit);
    assert_int_equal(orr_run_tasks_in_flight(unit->run), 3);
    assert_int_equal(orr_run_tasks_ready(unit->run), 2);
    unit_wait(unit);
    assert_int_equal(orr_run_tasks_in_flight(unit->run), 0);
    assert_int_equal(orr_run_tasks_ready(unit->run), 0);
    unit_run_free(unit);
}

/* Task 4 waits until three of the four before have ended. */
static void a_window_may_be_set_while_tasks_are_submitted(void **state)
{
    struct unit_run *unit = make("overheads=off");

    (void)state;
    submit_bare(unit, 2);
    orr_run_set_window(unit->run, 1, 3);
    submit_bare(unit, 3);
    assert_int_equal(orr_run_now(unit->run), 3000 * US);
    assert_waits(unit, 1); /* does not change the window */
    assert_int_equal(orr_run_now(unit->run), 4000 * US);
    submit_bare(unit, 4);
    assert_int_equal(orr_run_now(unit->run), 7000 * US);
    orr_run_set_window(unit->run, 0, UINT64_MAX);
    submit_bare(unit, 7);
    assert_int_equal(orr_run_now(unit->run), 7000 * US);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 16);
    unit_run_free(unit);
}

/* In the reference, too, which counts the same. */
static void so_it_is_in_lock_step(void **state)
{
    struct unit_run *unit;

    (void)state;
    if (!orr_turns_lockstep)
        skip();
    unit = make("quirks=exact");
    submit_bare(unit, 5);
    assert_waits(unit, 2);
    assert_int_equal(unit->tasks->len, 3);
    assert_int_equal(orr_run_tasks_in_flight(unit->run), 2);
    orr_run_set_window(unit->run, 0, 2);
    submit_bare(unit, 2);
    assert_int_equal(unit->tasks->len, 6);
    unit_wait(unit);
    assert_int_equal(unit->tasks->len, 7);
    unit_run_free(unit);
}

/* Both tasks wait for a tag that no task has. */
static void a_hang_ends_the_wait(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 1 + (orr_turns_lockstep != NULL);
         exact++) {
        struct unit_run *unit = make(exact ? "quirks=exact" : NULL);
        const uint64_t never = 7;
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                     .wait_tags = &never, .wait_count = 1};
        g_autoptr(GError) error = NULL, again = NULL;

        orr_task_submit(unit->run, &spec);
        orr_task_submit(unit->run, &spec);
        submit_bare(unit, 1);
        assert_false(orr_run_wait_in_flight(unit->run, 1, &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
        assert_non_null(strstr(error->message, "tag 7"));
        assert_null(strstr(error->message, "window"));
        assert_int_equal(orr_task_submit(unit->run, &spec), UINT64_MAX);
        assert_false(orr_run_wait(unit->run, &again));
        assert_string_equal(error->message, again->message);
        unit_run_free(unit);
    }
}

static void wait_in_it(struct orr_run *run, void *data)
{
    (void)data;
    assert_false(orr_run_wait_in_flight(run, 3, NULL));
}

static void callbacks_may_not_wait(void **state)
{
    struct unit_run *unit = make(NULL);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .callback = wait_in_it};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(error->message, "in a callback"));
    unit_run_free(unit);
}

static void check_refusal(const char *sched, const char *message)
{
    struct orr_config config = unit_config(sched, 1, 0);
    struct unit_run *unit;
    g_autoptr(GError) error = NULL;

    if (!sched)
        config.policy = orr_sched_decide();
    unit = unit_run_new("three-gpus.xml", &config);
    orr_run_set_window(unit->run, 3, 2);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void wrong_windows_are_refused(void **state)
{
    (void)state;
    check_refusal("eager", "window: least is 3, above most, which is 2");
    check_refusal(NULL, "window: the policy decide has none");
}

static void nothing_is_awaited_for_bounds(void **state)
{
    struct unit_run *unit = make(NULL);

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    orr_run_set_window(unit->run, 0, 0);
    submit_bare(unit, 3);
    assert_waits(unit, 1);
    assert_int_equal(orr_run_tasks_in_flight(unit->run), 0);
    assert_int_equal(orr_run_tasks_ready(unit->run), 0);
    assert_int_equal(orr_run_now(unit->run), 0);
    unit_run_free(unit);
}

ORR_TESTS(window)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_waits_until_so_many_are_left),
        cmocka_unit_test(it_knows_how_many_are_left),
        cmocka_unit_test(a_window_may_be_set_while_tasks_are_submitted),
        cmocka_unit_test(so_it_is_in_lock_step),
        cmocka_unit_test(a_hang_ends_the_wait),
        cmocka_unit_test(callbacks_may_not_wait),
        cmocka_unit_test(wrong_windows_are_refused),
        cmocka_unit_test(nothing_is_awaited_for_bounds),
    };

    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}

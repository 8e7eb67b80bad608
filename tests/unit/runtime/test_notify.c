/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application notifies tags, and uses tags again. */
#include "models/base/error.h"
#include "runtime/capture.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* Four CPUs; tasks take 1000 us. */
static struct unit_run *make(const char *models)
{
    struct orr_config config = unit_config("eager", 4, 0);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

/* A task with @tag that waits for @awaited; 0: for none. */
static struct orr_task_spec task_of(const struct unit_run *unit,
                                    const char *name, uint64_t tag,
                                    const uint64_t *awaited)
{
    return (struct orr_task_spec){
        ORR_TASK_SPEC_INIT, .kernel = unit->unit, .name = name,
        .tag = tag,         .wait_tags = awaited, .wait_count = awaited != NULL,
    };
}

static void submit(struct unit_run *unit, const char *name, uint64_t tag,
                   uint64_t awaited)
{
    const struct orr_task_spec spec =
        task_of(unit, name, tag, awaited ? &awaited : NULL);

    orr_task_submit(unit->run, &spec);
}

static void rest(struct unit_run *unit, int64_t us)
{
    assert_true(orr_run_sleep(unit->run, us * US, NULL));
}

static void tasks_wait_for_the_application(void **state)
{
    struct unit_run *unit = make("overheads=off");

    (void)state;
    submit(unit, "first", 0, 7);
    submit(unit, "second", 0, 7);
    submit(unit, "other", 0, 8);
    rest(unit, 500);
    orr_tag_notify(unit->run, 7);
    rest(unit, 200);
    submit(unit, "later", 0, 7);
    orr_tag_notify(unit->run, 7); /* has ended already */
    orr_tag_notify(unit->run, 8);
    unit_wait(unit);
    assert_int_equal(unit_start_of(unit, "first"), 500 * US);
    assert_int_equal(unit_start_of(unit, "second"), 500 * US);
    assert_int_equal(unit_start_of(unit, "later"), 700 * US);
    assert_int_equal(unit_start_of(unit, "other"), 700 * US);
    assert_int_equal(unit->tasks->len, 4);
    assert_int_equal(orr_run_report(unit->run)->tasks, 4);
    unit_run_free(unit);
}

/* 1 us for each of two pushes. Submissions take 1 us each. */
static void to_push_takes_time_of_the_application(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 1 + (orr_turns_lockstep != NULL);
         exact++) {
        struct unit_run *unit = make(exact ? "quirks=exact" : NULL);

        submit(unit, "first", 0, 7);
        submit(unit, "second", 0, 7);
        rest(unit, 500);
        assert_int_equal(orr_run_now(unit->run), 502 * US);
        orr_tag_notify(unit->run, 7);
        assert_int_equal(orr_run_now(unit->run), 504 * US);
        orr_tag_notify(unit->run, 8);
        assert_int_equal(orr_run_now(unit->run), 504 * US);
        unit_wait(unit);
        assert_int_equal(unit->tasks->len, 2);
        unit_run_free(unit);
    }
}

static void notify_and_restart(struct orr_run *run, void *data)
{
    const uint64_t *tag = data;

    orr_tag_notify(run, *tag);
    orr_tag_restart(run, *tag);
}

/* The callback comes at 1000 us, and its tag is a new one afterwards. */
static void a_callback_may_notify(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 1 + (orr_turns_lockstep != NULL);
         exact++) {
        struct unit_run *unit = make(exact ? "quirks=exact" : "overheads=off");
        uint64_t seven = 7;
        struct orr_task_spec first = task_of(unit, "first", 0, NULL);

        first.callback = notify_and_restart;
        first.callback_data = &seven;
        submit(unit, "second", 0, 7);
        orr_task_submit(unit->run, &first);
        assert_true(orr_run_wait_tag(unit->run, 7, NULL));
        assert_int_equal(unit->tasks->len, 1);
        if (!exact)
            assert_int_equal(orr_run_now(unit->run), 1000 * US);
        submit(unit, "third", 0, 7);
        rest(unit, 3000);
        assert_int_equal(unit->tasks->len, 2);
        submit(unit, "last", 7, 0);
        unit_wait(unit);
        if (!exact)
            assert_int_equal(unit_start_of(unit, "second"), 1000 * US);
        assert_int_equal(unit_start_of(unit, "third"),
                         unit_task(unit, 2)->ended + (exact ? 2 * US : 0));
        assert_int_equal(unit->tasks->len, 4);
        unit_run_free(unit);
    }
}

static void a_tag_may_be_used_again(void **state)
{
    struct unit_run *unit = make("overheads=off");

    (void)state;
    for (int64_t i = 0; i < 3; i++) {
        submit(unit, "tagged", 7, 0);
        submit(unit, "waiting", 0, 7);
        unit_wait(unit);
        assert_int_equal(orr_run_now(unit->run), (i + 1) * 2000 * US);
        orr_tag_restart(unit->run, 7);
    }
    submit(unit, "waiting", 0, 7);
    orr_tag_restart(unit->run, 7); /* it still waits */
    rest(unit, 500);
    orr_tag_notify(unit->run, 7);
    unit_wait(unit);
    assert_int_equal(orr_run_now(unit->run), 7500 * US);
    unit_run_free(unit);
}

static void check_refusal(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void wrong_tags_are_refused(void **state)
{
    struct unit_run *unit = make(NULL);

    (void)state;
    orr_tag_notify(unit->run, 0);
    check_refusal(unit, "tag 0, which means no tag, cannot be notified");
    unit = make(NULL);
    submit(unit, "first", 7, 0);
    orr_tag_notify(unit->run, 7);
    check_refusal(unit, "tag 7 cannot be notified: task 0 (first) has it, and "
                        "has not ended");
    unit = make(NULL);
    submit(unit, "first", 7, 0);
    orr_tag_restart(unit->run, 7);
    check_refusal(unit, "tag 7 cannot be restarted: task 0 (first) has it, and "
                        "has not ended");
    unit = make(NULL);
    orr_tag_notify(unit->run, 7);
    submit(unit, "first", 7, 0);
    check_refusal(unit, "task 0 (first) has the tag 7, which the application "
                        "has notified");
}

/* Two tasks of 1000 us, one after the other. */
static void bounds_know_it(void **state)
{
    struct unit_run *unit = make(NULL);
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    submit(unit, "first", 1, 7);
    submit(unit, "second", 0, 1);
    orr_tag_notify(unit->run, 7);
    assert_true(orr_run_bounds(unit->run, &bounds, NULL));
    assert_true(bounds.critical_path_s > 0.0019 &&
                bounds.critical_path_s < 0.0021);
    unit_run_free(unit);
}

ORR_TESTS(notify)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_wait_for_the_application),
        cmocka_unit_test(to_push_takes_time_of_the_application),
        cmocka_unit_test(a_callback_may_notify),
        cmocka_unit_test(a_tag_may_be_used_again),
        cmocka_unit_test(wrong_tags_are_refused),
        cmocka_unit_test(bounds_know_it),
    };

    return cmocka_run_group_tests_name("notify", tests, NULL, NULL);
}

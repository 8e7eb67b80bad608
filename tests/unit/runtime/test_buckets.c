/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buckets that a program gives to heteroprio. */
#include "models/base/error.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* A task that takes 1000 us on each worker. */
static struct unit_run *make(const char *sched, const char *buckets)
{
    struct orr_config config = unit_config(sched, 1, 1);

    config.models = "overheads=off";
    config.buckets = buckets;
    return unit_run_new("three-gpus.xml", &config);
}

static void set(struct unit_run *unit, const char *buckets)
{
    g_autoptr(GError) error = NULL;

    if (!orr_run_set_buckets(unit->run, buckets, &error))
        fail_msg("%s", error->message);
}

/* Whether the GPU, worker 0, executes all of three tasks in bucket 0. */
static bool gpu_executes_all(struct unit_run *unit)
{
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++) {
        if (unit_task(unit, i)->worker != 0)
            return false;
    }
    return true;
}

static void they_decide_who_visits_what(void **state)
{
    struct unit_run *unit = make("heteroprio", NULL);

    (void)state;
    set(unit, "gpu:0;cpu:1");
    assert_true(gpu_executes_all(unit));
    unit_run_free(unit);
}

static void those_of_the_option_stay(void **state)
{
    struct unit_run *unit = make("heteroprio", "cpu:0;gpu:0");

    (void)state;
    set(unit, "gpu:0;cpu:1");
    assert_false(gpu_executes_all(unit));
    unit_run_free(unit);
}

static void other_policies_have_none(void **state)
{
    struct unit_run *unit = make("eager", NULL);

    (void)state;
    set(unit, "gpu:0;cpu:1");
    assert_false(gpu_executes_all(unit));
    unit_run_free(unit);
}

static void refused(struct unit_run *unit, const char *buckets,
                    const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_set_buckets(unit->run, buckets, &error));
    assert_int_equal(error->code, ORR_ERROR_VALUE);
    assert_string_equal(error->message, message);
}

static void errors_change_nothing(void **state)
{
    struct unit_run *unit = make("heteroprio", NULL);

    (void)state;
    set(unit, "gpu:0;cpu:1");
    refused(unit, "gpu:0,0", "gpu: '0' is visited twice");
    assert_true(gpu_executes_all(unit));
    refused(unit, "cpu:0", "tasks were submitted before");
    unit_run_free(unit);
}

static void a_task_in_no_bucket_ends_the_run(void **state)
{
    struct unit_run *unit = make("heteroprio", "cpu:1;gpu:1");
    g_autoptr(GError) error = NULL;

    (void)state;
    unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "policy heteroprio: task 0 (unit) of priority 0 is in "
                        "no bucket that workers visit");
    unit_run_free(unit);
}

ORR_TESTS(buckets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_decide_who_visits_what),
        cmocka_unit_test(those_of_the_option_stay),
        cmocka_unit_test(other_policies_have_none),
        cmocka_unit_test(errors_change_nothing),
        cmocka_unit_test(a_task_in_no_bucket_ends_the_run),
    };

    return cmocka_run_group_tests_name("buckets", tests, NULL, NULL);
}

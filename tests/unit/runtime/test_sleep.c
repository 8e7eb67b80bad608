/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock of a run, an application that sleeps, and the workers. */
#include <limits.h>

#include "runtime/capture.h"
#include "tests/support/broken_policies.h"

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)

static struct unit_run *make(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static void sleep_for(struct unit_run *unit, int64_t ns)
{
    g_autoptr(GError) error = NULL;

    if (!orr_run_sleep(unit->run, ns, &error))
        fail_msg("%s", error->message);
}

/* Fails with an error that contains @message. */
static void assert_refuses(struct orr_run *run, int64_t ns, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_sleep(run, ns, &error));
    if (!strstr(error->message, message))
        fail_msg("%s", error->message);
}

/* Three tasks of 1 ms on one CPU: two have ended after 2.5 ms. */
static void workers_go_on(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    assert_int_equal(orr_run_now(unit->run), 0);
    sleep_for(unit, 2500 * US);
    assert_int_equal(orr_run_now(unit->run), 2500 * US);
    assert_int_equal(unit->tasks->len, 2);
    unit_wait(unit);
    assert_int_equal(orr_run_now(unit->run), 3 * MS);
    unit_run_free(unit);
}

static void later_tasks_start_later(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");

    (void)state;
    unit_submit_bare(unit);
    sleep_for(unit, 5 * MS);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->started, 5 * MS);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 6 * MS);
    unit_run_free(unit);
}

/* Traces and the makespan begin with the first submission; the clock does
 * not. */
static void it_may_come_before_the_first_task(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");

    (void)state;
    sleep_for(unit, (int64_t)20 * 1000 * MS);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(orr_run_now(unit->run), 20001 * MS);
    assert_int_equal(unit_task(unit, 0)->started, 0);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 1 * MS);
    unit_run_free(unit);
}

/* A submission and a push take 1 us each. */
static void no_time_is_nothing(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);

    (void)state;
    unit_submit_bare(unit);
    sleep_for(unit, 0);
    assert_int_equal(orr_run_now(unit->run), 2 * US);
    unit_run_free(unit);
}

/* 2^-9 s, a float, as in the reference. */
static void it_sleeps_in_lock_step(void **state)
{
    static const char *const models[] = {NULL, "quirks=exact"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(models); i++) {
        struct unit_run *unit = make(1, 1, models[i]);
        int64_t before;

        for (unsigned task = 0; task < 4; task++)
            unit_submit_bare(unit);
        before = orr_run_now(unit->run);
        sleep_for(unit, 1953125);
        assert_int_equal(orr_run_now(unit->run), before + 1953125);
        assert_int_equal(unit->tasks->len, 2);
        unit_wait(unit);
        unit_run_free(unit);
    }
}

static void wrong_times_are_refused(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);

    (void)state;
    assert_refuses(unit->run, -1, "the application sleeps for -1 ns");
    assert_refuses(unit->run, 0, "the application sleeps for -1 ns");
    unit_run_free(unit);
    unit = make(1, 0, NULL);
    unit_submit_bare(unit);
    assert_refuses(unit->run, INT64_MAX - US,
                   "the application sleeps for 9223372036854774807 ns");
    unit_run_free(unit);
}

static void sleep_in_callback(struct orr_run *run, void *data)
{
    (void)data;
    assert_refuses(run, 1,
                   "sleeps, acquires or unregisters data in "
                   "a callback");
}

static void submit_wrongly(struct orr_run *run, void *data)
{
    const struct orr_task_spec wrong = {ORR_TASK_SPEC_INIT};

    (void)data;
    orr_task_submit(run, &wrong);
}

/* A task of 1 ms with @callback; then the application sleeps for 2 ms. */
static void check_callback(void (*callback)(struct orr_run *run, void *data),
                           const char *message)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                 .callback = callback};

    orr_task_submit(unit->run, &spec);
    assert_refuses(unit->run, 2 * MS, message);
    unit_run_free(unit);
}

static void callbacks_do_not_sleep(void **state)
{
    (void)state;
    check_callback(sleep_in_callback, "in a callback");
}

static void it_reports_errors_meanwhile(void **state)
{
    (void)state;
    check_callback(submit_wrongly, "task 1 (unnamed): kernel is NULL");
}

/* The tag may still come; only the wait knows that it does not. */
static void a_task_that_waits_is_no_hang_yet(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    const uint64_t tag = 7;
    const struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .wait_count = 1, .wait_tags = &tag};

    (void)state;
    orr_task_submit(unit->run, &spec);
    sleep_for(unit, 1000 * MS);
    broken_wait(unit, ORR_ERROR_STALLED);
    assert_refuses(unit->run, 1, "task 0 (unit)");
    unit_run_free(unit);
}

/* Gives nothing, but has the worker ask again. */
static struct orr_task *ask_again(struct orr_sched *sched, unsigned worker)
{
    orr_sched_wake(sched, worker);
    return NULL;
}

static const struct orr_sched_ops restless = {
    .name = "restless",
    .state_size = sizeof(struct broken_queue),
    .push = broken_push,
    .pop = ask_again,
};

static void a_livelock_without_time_is_reported(void **state)
{
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit;

    (void)state;
    config.models = "overheads=off";
    unit = broken_run_with(&restless, &config);
    unit_submit_bare(unit);
    assert_refuses(unit->run, 1, "policy restless holds");
    broken_wait(unit, ORR_ERROR_LIVELOCKED);
    unit_run_free(unit);
}

/* Workers that ask for tasks while the application sleeps are no livelock. */
static void time_that_passes_is_progress(void **state)
{
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit = broken_run_with(&restless, &config);

    (void)state;
    unit_submit_bare(unit);
    sleep_for(unit, 500 * MS);
    assert_int_equal(orr_run_now(unit->run), 500 * MS + 2 * US);
    broken_wait(unit, ORR_ERROR_LIVELOCKED);
    unit_run_free(unit);
}

/* Stops the run if @data, a bool, is set. */
static bool watch(void *data, uint64_t tasks)
{
    const bool *stops = data;

    (void)tasks;
    return !*stops;
}

/* After each 65536 events, of which each task takes some. */
static void a_run_may_be_stopped_meanwhile(void **state)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit;
    bool stops = false;

    (void)state;
    orr_config_set_progress(&config, watch, &stops);
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 100000; i++)
        unit_submit_bare(unit);
    stops = true;
    assert_refuses(unit->run, 1000000 * MS, "stopped after ");
    assert_in_range(orr_run_now(unit->run), 1 * MS, 100000 * MS);
    unit_run_free(unit);
}

static void where_the_program_decides_it_does_not_sleep(void **state)
{
    struct orr_config config = unit_config(NULL, 1, 0);
    struct unit_run *unit;

    (void)state;
    config.policy = orr_sched_decide();
    unit = unit_run_new("three-gpus.xml", &config);
    unit_submit_bare(unit);
    assert_refuses(unit->run, 1, "in a run of the policy decide");
    unit_run_free(unit);
}

static void nothing_sleeps_that_is_not_simulated(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    struct orr_capture capture = {.task = NULL};
    struct orr_run *captured = orr_capture_new(&capture);

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    unit_submit_bare(unit);
    sleep_for(unit, 1 * MS);
    assert_int_equal(orr_run_now(unit->run), 0);
    unit_run_free(unit);
    assert_true(orr_run_sleep(captured, 1 * MS, NULL));
    assert_int_equal(orr_run_now(captured), 0);
    orr_run_free(captured);
}

static void workers_are_known(void **state)
{
    struct unit_run *unit = make(2, 1, NULL);
    struct orr_run *run = unit->run;

    (void)state;
    assert_int_equal(orr_run_workers(run), 3);
    assert_int_equal(orr_run_worker_class(run, 0), ORR_WHERE_GPU);
    assert_int_equal(orr_run_worker_class(run, 1), ORR_WHERE_CPU);
    assert_int_equal(orr_run_worker_class(run, 3), ORR_WHERE_ANY);
    assert_string_equal(orr_run_worker_name(run, 0), "CUDA0");
    assert_string_equal(orr_run_worker_name(run, 2), "CPU1");
    assert_null(orr_run_worker_name(run, 3));
    assert_int_equal(orr_run_worker_node(run, 0), 1);
    assert_int_equal(orr_run_worker_node(run, 2), 0);
    assert_int_equal(orr_run_worker_node(run, 3), UINT_MAX);
    unit_run_free(unit);
}

ORR_TESTS(sleep)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_go_on),
        cmocka_unit_test(later_tasks_start_later),
        cmocka_unit_test(it_may_come_before_the_first_task),
        cmocka_unit_test(no_time_is_nothing),
        cmocka_unit_test(it_sleeps_in_lock_step),
        cmocka_unit_test(wrong_times_are_refused),
        cmocka_unit_test(callbacks_do_not_sleep),
        cmocka_unit_test(it_reports_errors_meanwhile),
        cmocka_unit_test(a_task_that_waits_is_no_hang_yet),
        cmocka_unit_test(a_livelock_without_time_is_reported),
        cmocka_unit_test(time_that_passes_is_progress),
        cmocka_unit_test(a_run_may_be_stopped_meanwhile),
        cmocka_unit_test(where_the_program_decides_it_does_not_sleep),
        cmocka_unit_test(nothing_sleeps_that_is_not_simulated),
        cmocka_unit_test(workers_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

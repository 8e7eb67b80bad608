/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that watches its run may stop it. */
#include "models/errors.h"
#include "runtime/lockstep/lockstep.h"
#include "tests/support/unit_run.h"

/* Their events suffice for many calls. */
enum { TASKS = 100000 };

struct watcher {
    unsigned calls;
    uint64_t
        stop_at;    /* a call with so many tasks returns false; 0: none does */
    uint64_t tasks; /* of the last call */
};

static bool watch(void *data, uint64_t tasks)
{
    struct watcher *watcher = data;

    assert_true(tasks >= watcher->tasks);
    watcher->tasks = tasks;
    watcher->calls++;
    return watcher->stop_at == 0 || tasks < watcher->stop_at;
}

static struct unit_run *watched_run(struct watcher *watcher, const char *sched,
                                    const char *models, uint64_t window)
{
    struct orr_config config = unit_config(sched, 1, 1);

    config.models = models;
    config.window.most = window;
    orr_config_set_progress(&config, watch, watcher);
    return unit_run_new("three-gpus.xml", &config);
}

static void assert_stopped(struct unit_run *unit, const struct watcher *watcher)
{
    g_autofree char *expected = NULL;
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STOPPED));
    expected = g_strdup_printf("stopped after %" G_GUINT64_FORMAT " tasks",
                               watcher->tasks);
    assert_string_equal(error->message, expected);
}

/* With a window, the run stops while tasks are submitted; without one, all are
 * submitted, and it stops while the application waits. */
static void check_stop(const char *sched, const char *models, uint64_t window)
{
    struct watcher watcher = {.stop_at = 1000};
    struct unit_run *unit = watched_run(&watcher, sched, models, window);
    unsigned calls;
    struct orr_data *data = orr_data_register(unit->run, 8);

    for (unsigned i = 0; i < TASKS; i++)
        unit_submit(unit, data, ORR_R);
    assert_stopped(unit, &watcher);
    calls = watcher.calls;
    assert_in_range(watcher.tasks, 1000, TASKS - 1);
    assert_int_equal(orr_run_report(unit->run)->tasks, watcher.tasks);

    /* nothing more happens */
    unit_submit_bare(unit);
    assert_stopped(unit, &watcher);
    assert_false(orr_data_acquire(unit->run, data, ORR_R, NULL));
    assert_false(orr_run_wait_tag(unit->run, 1, NULL));
    assert_int_equal(watcher.calls, calls);
    assert_int_equal(orr_run_report(unit->run)->tasks, watcher.tasks);
    unit_run_free(unit);
}

static void a_program_stops_its_run(void **state)
{
    (void)state;
    check_stop("eager", NULL, 100);
    check_stop("eager", NULL, 0);
    check_stop("dmda", NULL, 100);
    check_stop("lws", NULL, 0);
}

static void it_does_in_lockstep(void **state)
{
    (void)state;
    if (!orr_turns_lockstep)
        skip();
    check_stop("eager", "quirks=exact", 100);
    check_stop("lws", "quirks=exact", 0);
}

static void otherwise_the_run_continues(void **state)
{
    struct watcher watcher = {.stop_at = 0};
    struct unit_run *unit = watched_run(&watcher, "eager", NULL, 100);

    (void)state;
    for (unsigned i = 0; i < TASKS; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_true(watcher.calls >= 2);
    assert_int_equal(orr_run_report(unit->run)->tasks, TASKS);
    unit_run_free(unit);
}

ORR_TESTS(progress)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_stops_its_run),
        cmocka_unit_test(it_does_in_lockstep),
        cmocka_unit_test(otherwise_the_run_continues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

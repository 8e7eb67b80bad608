/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The application pauses and resumes the workers. */
#include "models/base/error.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* Tasks take 1000 us. */
static struct unit_run *make(int cpus, int gpus, const char *models)
{
    struct orr_config config = unit_config("eager", cpus, gpus);

    config.models = models;
    return unit_run_new("three-gpus.xml", &config);
}

static void rest(struct unit_run *unit, int64_t us)
{
    assert_true(orr_run_sleep(unit->run, us * US, NULL));
}

static void no_task_starts_meanwhile(void **state)
{
    struct unit_run *unit = make(2, 0, "overheads=off");

    (void)state;
    orr_run_pause(unit->run);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    rest(unit, 300);
    orr_run_resume(unit->run);
    unit_wait(unit);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(unit_task(unit, i)->started, 300 * US);
    unit_run_free(unit);
}

/* The second of three tasks would start at 1000 us. */
static void a_cpu_ends_its_task(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    rest(unit, 500);
    orr_run_pause(unit->run);
    rest(unit, 2000);
    assert_int_equal(unit->tasks->len, 1);
    assert_int_equal(unit_task(unit, 0)->ended, 1000 * US);
    orr_run_resume(unit->run);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->started, 2500 * US);
    assert_int_equal(unit_task(unit, 2)->ended, 4500 * US);
    unit_run_free(unit);
}

/* The kernel ends at 1000 us. */
static void a_gpu_does_not_notice_the_end(void **state)
{
    struct unit_run *unit = make(0, 1, "overheads=off");

    (void)state;
    unit_submit_bare(unit);
    rest(unit, 500);
    orr_run_pause(unit->run);
    rest(unit, 2000);
    assert_int_equal(unit->tasks->len, 0);
    orr_run_resume(unit->run);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->kernel_ended, 1000 * US);
    assert_int_equal(unit_task(unit, 0)->ended, 2500 * US);
    unit_run_free(unit);
}

static void pauses_are_counted(void **state)
{
    struct unit_run *unit = make(1, 0, "overheads=off");

    (void)state;
    orr_run_pause(unit->run);
    orr_run_pause(unit->run);
    unit_submit_bare(unit);
    rest(unit, 100);
    orr_run_resume(unit->run);
    rest(unit, 100);
    orr_run_resume(unit->run);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->started, 200 * US);
    unit_run_free(unit);
}

static void pause_in_it(struct orr_run *run, void *data)
{
    (void)data;
    orr_run_pause(run);
}

static void resume_in_it(struct orr_run *run, void *data)
{
    (void)data;
    orr_run_resume(run);
}

/* The first task ends at 1000 us, the other one at 2000 us, on two CPUs. */
static void callbacks_pause_and_resume(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 1 + (orr_turns_lockstep != NULL);
         exact++) {
        struct unit_run *unit =
            make(2, 0, exact ? "quirks=exact" : "overheads=off");
        struct orr_task_times longer = {ORR_TASK_TIMES_INIT,
                                        .cpu_ns = 2000 * US};
        struct orr_task_spec first = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                      .callback = pause_in_it};
        struct orr_task_spec second = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                       .times = &longer,
                                       .callback = resume_in_it};

        orr_task_submit(unit->run, &first);
        orr_task_submit(unit->run, &second);
        unit_submit_bare(unit);
        unit_wait(unit);
        if (!exact)
            assert_int_equal(unit_task(unit, 2)->started, 2000 * US);
        assert_true(unit_task(unit, 2)->started >= unit_task(unit, 1)->ended);
        unit_run_free(unit);
    }
}

static void a_wait_hangs(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_run_pause(unit->run);
    unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_non_null(strstr(
        error->message, "the application waits, but has paused the workers"));
    assert_int_equal(orr_run_hang(unit->run)->kind, ORR_HANG_PAUSED);
    unit_run_free(unit);
}

static void one_resumes_what_was_paused(void **state)
{
    struct unit_run *unit = make(1, 0, NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_run_resume(unit->run);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "the workers are not paused, but resumed");
    unit_run_free(unit);
}

/* As in StarPU: a push would count a worker that sleeps as woken, and wake no
 * other one. */
static void no_worker_sleeps_before_it_has_popped(void **state)
{
    struct unit_run *unit = make(1, 1, "quirks=exact");

    (void)state;
    if (!orr_turns_lockstep)
        skip();
    orr_run_wake(unit->run);
    for (unsigned w = 0; w < 2; w++)
        assert_false(orr_worker_mark_woken(unit->run->workers[w]));
    rest(unit, 10);
    for (unsigned w = 0; w < 2; w++)
        assert_true(orr_worker_mark_woken(unit->run->workers[w]));
    unit_run_free(unit);
}

ORR_TESTS(pause)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_task_starts_meanwhile),
        cmocka_unit_test(a_cpu_ends_its_task),
        cmocka_unit_test(a_gpu_does_not_notice_the_end),
        cmocka_unit_test(pauses_are_counted),
        cmocka_unit_test(callbacks_pause_and_resume),
        cmocka_unit_test(a_wait_hangs),
        cmocka_unit_test(one_resumes_what_was_paused),
        cmocka_unit_test(no_worker_sleeps_before_it_has_popped),
    };

    return cmocka_run_group_tests_name("pause", tests, NULL, NULL);
}

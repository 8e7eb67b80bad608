/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library as an application sees it. */
#include <string.h>

#include "runtime/config/run_config.h"
#include "runtime/lockstep/lockstep.h"
#include "runtime/orrery.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define MIB ((uint64_t)1024 * 1024)
#define BYTES 4000000

static void a_kernel_found_twice_is_the_same(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);

    (void)state;
    assert_ptr_equal(orr_kernel_find(unit->run, "test", "unit",
                                     ORR_SINGLE_PRECISION, 960, NULL),
                     unit->unit);
    unit_run_free(unit);
}

static void the_report_repeats_every_choice(void **state)
{
    struct orr_config config = unit_config("prio", 2, 3);
    struct unit_run *unit;
    const struct orr_report *report;

    (void)state;
    config.seed = 42;
    config.models = "sharing=fair";
    unit = unit_run_new("three-gpus.xml", &config);
    report = orr_run_report(unit->run);
    assert_string_equal(report->platform, "three-gpus");
    assert_string_equal(report->sched, "prio");
    assert_int_equal(report->gpus, 3);
    assert_int_equal(report->cpus, 2);
    assert_int_equal(report->seed, 42);
    assert_non_null(strstr(report->models, "sharing=fair"));
    assert_int_equal(report->gpu_memory_bytes, 921 * MIB); /* 90 % of 1 GiB */
    assert_int_equal(report->worker_count, 5);
    assert_string_equal(report->workers[0].name, "CUDA0");
    assert_string_equal(report->workers[2].name, "CUDA2");
    assert_string_equal(report->workers[3].name, "CPU0");
    assert_string_equal(report->workers[4].name, "CPU1");
    unit_run_free(unit);
}

static void defaults_are_dmda_all_gpus_and_the_other_cores(void **state)
{
    struct orr_config config;
    struct unit_run *unit;
    const struct orr_report *report;

    (void)state;
    orr_config_init(&config);
    unit = unit_run_new("three-gpus.xml", &config);
    report = orr_run_report(unit->run);
    assert_string_equal(report->sched, "dmda");
    assert_int_equal(report->gpus, 3);
    assert_int_equal(report->cpus, 5);
    unit_run_free(unit);
}

static void gpu_memory_is_counted_in_whole_mib(void **state)
{
    struct orr_config config = unit_config("eager", 0, 1);
    struct unit_run *unit;

    (void)state;
    config.gpu_memory_bytes = 33 * MIB - 1;
    unit = unit_run_new("three-gpus.xml", &config);
    assert_int_equal(orr_run_report(unit->run)->gpu_memory_bytes, 32 * MIB);
    unit_run_free(unit);
}

static void a_run_without_tasks_takes_no_time(void **state)
{
    struct unit_run *unit = unit_run_on("dmda", -1, -1);
    const struct orr_report *report;

    (void)state;
    unit_wait(unit);
    report = orr_run_report(unit->run);
    assert_int_equal(report->makespan_ns, 0);
    assert_int_equal(report->tasks, 0);
    assert_int_equal(report->copies, 0);
    unit_run_free(unit);
}

static void a_run_may_be_abandoned(void **state)
{
    struct unit_run *unit = unit_run_on("dmdas", -1, -1);

    (void)state;
    for (unsigned i = 0; i < 20; i++)
        unit_submit(unit, orr_data_register(unit->run, BYTES), ORR_RW);
    unit_run_free(unit);
    orr_run_free(NULL);
}

static void a_run_goes_on_after_a_wait(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);

    (void)state;
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 1002 * US);
    unit_submit_bare(unit);
    unit_wait(unit);
    /* push 1, while the worker takes the turn that follows its first task */
    assert_int_equal(unit_task(unit, 1)->submitted, 1002 * US);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 2003 * US);
    unit_run_free(unit);
}

/* A push for it, another for the internal task that it submits, and that
 * submission. No trace shows them. */
static void
data_that_will_not_be_used_take_time_after_the_last_task(void **state)
{
    (void)state;
    for (unsigned quirks = 0; quirks < 2; quirks++) {
        struct orr_config config = unit_config("eager", 1, 0);
        struct unit_run *unit;
        struct orr_data *data;

        config.models = quirks ? "quirks=on" : "quirks=off";
        unit = unit_run_new("three-gpus.xml", &config);
        data = orr_data_register(unit->run, BYTES);
        unit_submit(unit, data, ORR_RW);
        orr_data_wont_use(unit->run, data);
        unit_wait(unit);
        assert_int_equal(orr_run_report(unit->run)->makespan_ns,
                         unit_task(unit, 0)->ended + 3 * US);
        unit_run_free(unit);
    }
}

static void workers_report_their_tasks_and_busy_time(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 2, 0);
    const struct orr_report *report;

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    report = orr_run_report(unit->run);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(report->workers[i].tasks, 3);
        assert_int_equal(report->workers[i].busy_ns, 3000 * US);
    }
    assert_int_equal(report->tasks, 6);
    unit_run_free(unit);
}

static void policies_say_which_priorities_they_heed(void **state)
{
    static const struct {
        const char *sched;
        int most;
    } cases[] = {
        {"eager", 0}, {"prio", INT_MAX},  {"dm", 0},          {"dmda", 0},
        {"dmdar", 0}, {"dmdas", INT_MAX}, {"heteroprio", 99},
    };

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct unit_run *unit = unit_run_on(cases[i].sched, 1, 1);

        assert_int_equal(orr_run_max_priority(unit->run), cases[i].most);
        unit_run_free(unit);
    }
}

static void
where_priorities_are_limited_it_counts_what_is_critical(void **state)
{
    static const struct {
        const char *sched;
        int priorities[3];
    } cases[] = {
        {"eager", {0, 0, 0}}, {"prio", {3, 4, 5}}, {"heteroprio", {3, 99, 0}}};

    (void)state;
    for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
        struct unit_run *unit = unit_run_on(cases[c].sched, 1, 0);

        for (unsigned i = 0; i < 3; i++) {
            static const enum orr_critical marks[] = {
                ORR_CRITICAL_UNKNOWN, ORR_CRITICAL, ORR_NOT_CRITICAL};
            struct orr_task_spec spec = {
                ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                .priority = 3 + (int)i, .critical = marks[i]};

            orr_task_submit(unit->run, &spec);
        }
        unit_wait(unit);
        for (unsigned i = 0; i < 3; i++) {
            const struct orr_trace_task *task = unit_task(unit, i);

            assert_int_equal(task->priority, cases[c].priorities[task->order]);
        }
        unit_run_free(unit);
    }
}

static void priorities_are_cut_to_those_that_the_policy_knows(void **state)
{
    static const struct {
        const char *sched;
        int priorities[3];
    } cases[] = {{"eager", {0, 0, 0}},
                 {"dmda", {0, 0, 0}},
                 {"prio", {-7, 60, 127}},
                 {"heteroprio", {0, 60, 99}}};

    (void)state;
    for (size_t c = 0; c < G_N_ELEMENTS(cases); c++) {
        struct unit_run *unit = unit_run_on(cases[c].sched, 1, 0);

        for (int i = 0; i < 3; i++) {
            struct orr_task_spec spec = {ORR_TASK_SPEC_INIT,
                                         .kernel = unit->unit,
                                         .priority = -7 + 67 * i};

            orr_task_submit(unit->run, &spec);
        }
        unit_wait(unit);
        for (unsigned i = 0; i < 3; i++) {
            const struct orr_trace_task *task = unit_task(unit, i);

            assert_int_equal(task->priority, cases[c].priorities[task->order]);
        }
        unit_run_free(unit);
    }
}

/* Four tasks of growing priority on a CPU; the order in which they ran. */
static void assert_run_order(const char *sched, const unsigned *order)
{
    struct unit_run *unit = unit_run_on(sched, 1, 0);

    for (int i = 0; i < 4; i++) {
        struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = unit->unit,
                                     .priority = i};

        orr_task_submit(unit->run, &spec);
    }
    unit_wait(unit);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(unit_task(unit, i)->order, order[i]);
    unit_run_free(unit);
}

static void urgent_tasks_go_first_where_the_policy_heeds_it(void **state)
{
    (void)state;
    /* The first one has gone when the others come. */
    assert_run_order("prio", (const unsigned[]){0, 3, 2, 1});
    assert_run_order("dmdas", (const unsigned[]){0, 3, 2, 1});
    assert_run_order("eager", (const unsigned[]){0, 1, 2, 3});
    assert_run_order("dmda", (const unsigned[]){0, 1, 2, 3});
}

static void a_window_holds_submission_back(void **state)
{
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit;

    (void)state;
    config.window.most = 2;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 5; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 1)->submitted, 2 * US);
    for (unsigned i = 2; i < 5; i++)
        assert_int_equal(unit_task(unit, i)->submitted,
                         unit_task(unit, i - 2)->ended);
    /* push 1, turn 1; then a turn each, as without a window */
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 5006 * US);
    unit_run_free(unit);
}

/* Once three tasks are in flight, more than two, all but one must end. */
static void a_window_with_a_minimum_opens_there(void **state)
{
    static const int64_t ended[] = {-1, -1, -1, 1, 1, 3, 3};
    struct orr_config config = unit_config("eager", 1, 0);
    struct unit_run *unit;

    (void)state;
    config.window.most = 2;
    config.window.least = 1;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 7; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 3; i < 7; i++) {
        int64_t after = unit_task(unit, (unsigned)ended[i])->ended;

        assert_in_range(unit_task(unit, i)->submitted, after, after + 10 * US);
    }
    unit_run_free(unit);
}

static void equal_limits_are_a_window_of_one_more(void **state)
{
    (void)state;
    for (int minimum = 0; minimum < 2; minimum++) {
        struct orr_config config = unit_config("dmda", 4, 2);
        struct unit_run *one, *other;

        config.window.most = (uint64_t)minimum + 1;
        one = unit_run_new("three-gpus.xml", &config);
        config.window.most = (uint64_t)minimum;
        config.window.least = minimum;
        other = unit_run_new("three-gpus.xml", &config);
        for (unsigned i = 0; i < 7; i++) {
            unit_submit_bare(one);
            unit_submit_bare(other);
        }
        unit_wait(one);
        unit_wait(other);
        assert_int_equal(orr_run_report(one->run)->digest,
                         orr_run_report(other->run)->digest);
        unit_run_free(one);
        unit_run_free(other);
    }
}

static void a_window_of_one_serialises(void **state)
{
    struct orr_config config = unit_config("eager", 4, 0);
    struct unit_run *unit;

    (void)state;
    config.window.most = 1;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 3; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    /* push 1, turn 1; then push 1 during the turn of the worker that ended */
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 3004 * US);
    unit_run_free(unit);
}

/* In a window of three: a task, two that need its datum, and one more, which is
 * submitted so long after the first has ended. */
static int64_t submit_behind_three(const char *sched, const char *models)
{
    struct orr_config config = unit_config(sched, 1, 0);
    struct unit_run *unit;
    struct orr_data *data;
    int64_t late = 0;

    config.window.most = 3;
    config.models = models;
    unit = unit_run_new("three-gpus.xml", &config);
    data = orr_data_register(unit->run, BYTES);
    unit_submit(unit, data, ORR_W);
    unit_submit(unit, data, ORR_R);
    unit_submit(unit, data, ORR_R);
    unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 1; i < 4; i++) {
        if (unit_task(unit, i)->order == 3)
            late = unit_task(unit, i)->submitted - unit_task(unit, 0)->ended;
    }
    unit_run_free(unit);
    return late;
}

static void a_task_is_in_a_window_until_it_has_pushed_others(void **state)
{
    (void)state;
    /* two pushes of 1 us */
    assert_int_equal(submit_behind_three("dmda", NULL), 2 * US);
    assert_int_equal(submit_behind_three("eager", NULL), 2 * US);
    assert_int_equal(submit_behind_three("dmda", "quirks=off"), 0);
}

static void so_it_is_in_lock_step(void **state)
{
    (void)state;
    if (!orr_turns_lockstep)
        skip();
    assert_int_equal(submit_behind_three("dmda", "quirks=exact"), 2 * US);
}

static void a_hint_is_in_a_window_of_the_reference(void **state)
{
    (void)state;
    for (int quirks = 0; quirks < 2; quirks++) {
        struct orr_config config = unit_config("dmda", 1, 0);
        struct unit_run *unit;
        struct orr_data *data;

        config.window.most = 2;
        config.models = quirks ? NULL : "quirks=off";
        unit = unit_run_new("three-gpus.xml", &config);
        data = orr_data_register(unit->run, BYTES);
        unit_submit(unit, data, ORR_W);
        orr_data_wont_use(unit->run, data);
        unit_submit_bare(unit);
        unit_wait(unit);
        assert_int_equal(
            unit_task(unit, 1)->submitted > unit_task(unit, 0)->ended, quirks);
        unit_run_free(unit);
    }
}

static void without_overheads_only_kernels_take_time(void **state)
{
    struct orr_config config = unit_config("eager", 2, 0);
    struct unit_run *unit;

    (void)state;
    config.models = "overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned i = 0; i < 5; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 3000 * US);
    unit_run_free(unit);
}

static void wont_use_takes_2_us_where_nobody_writes(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 0);

    (void)state;
    orr_data_wont_use(unit->run, orr_data_register(unit->run, BYTES));
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->submitted, 2 * US);
    unit_run_free(unit);
}

static void a_synchronous_kernel_lets_nothing_overlap(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,
        .kernel = orr_kernel_find(unit->run, "test", "on-cuda0",
                                  ORR_SINGLE_PRECISION, 960, NULL),
    };

    (void)state;
    orr_kernel_set_synchronous(spec.kernel);
    unit_submit_bare(unit);
    orr_task_submit(unit->run, &spec);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->ended, 1013 * US);
    /* It waits, then starts at once; */
    assert_int_equal(unit_task(unit, 1)->ended, 2013 * US);
    /* only then the next one is popped: turn 2, queue 10. */
    assert_int_equal(unit_task(unit, 2)->ended, 3025 * US);
    unit_run_free(unit);
}

ORR_TESTS(run)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_found_twice_is_the_same),
        cmocka_unit_test(the_report_repeats_every_choice),
        cmocka_unit_test(defaults_are_dmda_all_gpus_and_the_other_cores),
        cmocka_unit_test(gpu_memory_is_counted_in_whole_mib),
        cmocka_unit_test(a_run_without_tasks_takes_no_time),
        cmocka_unit_test(a_run_may_be_abandoned),
        cmocka_unit_test(a_run_goes_on_after_a_wait),
        cmocka_unit_test(
            data_that_will_not_be_used_take_time_after_the_last_task),
        cmocka_unit_test(workers_report_their_tasks_and_busy_time),
        cmocka_unit_test(policies_say_which_priorities_they_heed),
        cmocka_unit_test(
            where_priorities_are_limited_it_counts_what_is_critical),
        cmocka_unit_test(priorities_are_cut_to_those_that_the_policy_knows),
        cmocka_unit_test(urgent_tasks_go_first_where_the_policy_heeds_it),
        cmocka_unit_test(a_window_holds_submission_back),
        cmocka_unit_test(a_window_with_a_minimum_opens_there),
        cmocka_unit_test(equal_limits_are_a_window_of_one_more),
        cmocka_unit_test(a_window_of_one_serialises),
        cmocka_unit_test(a_task_is_in_a_window_until_it_has_pushed_others),
        cmocka_unit_test(so_it_is_in_lock_step),
        cmocka_unit_test(a_hint_is_in_a_window_of_the_reference),
        cmocka_unit_test(without_overheads_only_kernels_take_time),
        cmocka_unit_test(wont_use_takes_2_us_where_nobody_writes),
        cmocka_unit_test(a_synchronous_kernel_lets_nothing_overlap),
    };

    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}

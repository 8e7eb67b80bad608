/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that bring their times and joules on each worker, by implementation, or
 * that block the driver of their GPU. */
#include <math.h>

#include "runtime/config/run_config.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)
#define JOULE INT64_C(1000000000) /* nJ */

enum { SLOW, FAST, BOTH };

/* For two CPU workers: CPU0 needs 3 us or 1 us, CPU1 twice as long. */
static const struct orr_cost two_speeds[] = {
    {3 * US, 1}, {1 * US, 4.5}, {6 * US, 1}, {2 * US, 4.5}};

/* The other way round, with one implementation. */
static const struct orr_cost one_speed[] = {{8 * US, 2}, {4 * US, 3}};

static struct unit_run *begin_with(const char *sched, int cpus, int gpus)
{
    struct orr_config config = unit_config(sched, cpus, gpus);

    config.models = "clean,overheads=off";
    config.gamma = 0;
    return unit_run_new("three-gpus.xml", &config);
}

static struct unit_run *begin(const char *sched)
{
    return begin_with(sched, 2, 0);
}

static struct orr_task_spec spec_of(struct orr_kernel *kernel, unsigned count,
                                    const struct orr_cost *costs)
{
    return (struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = kernel,
                                  .implementations = count, .costs = costs};
}

static void submit(struct unit_run *unit, struct orr_kernel *kernel,
                   unsigned count, const struct orr_cost *costs)
{
    struct orr_task_spec spec = spec_of(kernel, count, costs);

    orr_task_submit(unit->run, &spec);
}

static void check_task(const struct unit_run *unit, unsigned i, unsigned worker,
                       unsigned implementation, int64_t ns)
{
    const struct orr_trace_task *task = unit_task(unit, i);

    assert_int_equal(task->worker, worker);
    assert_int_equal(task->implementation, implementation);
    assert_int_equal(task->kernel_ended - task->kernel_started, ns);
}

/* Each task alone goes where it ends first. */
static void dm_chooses_by_the_costs_of_the_task(void **state)
{
    static const char *const scheds[] = {"dm", "dmda", "dmdas", "modular-heft"};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(scheds); i++) {
        struct unit_run *unit = begin(scheds[i]);
        struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
        const struct orr_report *report;

        submit(unit, own, BOTH, two_speeds);
        unit_wait(unit);
        submit(unit, own, 1, one_speed);
        unit_wait(unit);
        check_task(unit, 0, 0, FAST, 1 * US);
        check_task(unit, 1, 1, 0, 4 * US);
        report = orr_run_report(unit->run);
        assert_int_equal(report->makespan_ns, 5 * US);
        assert_int_equal(report->times_from[ORR_TIMES_GIVEN], 2);
        assert_int_equal(report->energy->dynamic_nj, 7 * JOULE + JOULE / 2);
        assert_int_equal(report->energy->kernel_count, 1);
        unit_run_free(unit);
    }
}

static void eager_takes_the_first_implementation(void **state)
{
    struct unit_run *unit = begin("eager");

    (void)state;
    submit(unit, orr_kernel_new(unit->run, "own", NULL), BOTH, two_speeds);
    unit_wait(unit);
    check_task(unit, 0, 0, SLOW, 3 * US);
    assert_int_equal(orr_run_report(unit->run)->energy->dynamic_nj, JOULE);
    unit_run_free(unit);
}

static void equal_costs_are_one_object(void **state)
{
    struct unit_run *unit = begin("eager");
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    uint32_t before = unit->run->graph.kernel_count;

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct orr_cost copy[2 * BOTH];

        memcpy(copy, two_speeds, sizeof(copy));
        submit(unit, own, BOTH, copy);
        memset(copy, 0, sizeof(copy)); /* borrowed for the call */
        submit(unit, own, 1, one_speed);
    }
    assert_int_equal(unit->run->graph.kernel_count, before + 2);
    unit_wait(unit);
    unit_run_free(unit);
}

static void programs_see_them_too(void **state)
{
    struct unit_run *unit = begin("dm");
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    struct orr_task_spec spec = spec_of(own, BOTH, two_speeds);

    (void)state;
    assert_int_equal(orr_task_expected_ns(unit->run, &spec, 0, SLOW), 3 * US);
    assert_int_equal(orr_task_expected_ns(unit->run, &spec, 1, FAST), 2 * US);
    assert_int_equal(orr_task_expected_ns(unit->run, &spec, 1, BOTH), -1);
    unit_run_free(unit);
}

static void they_count_on_named_workers_alone(void **state)
{
    struct unit_run *unit = begin("dm");
    struct orr_task_spec spec =
        spec_of(orr_kernel_new(unit->run, "own", NULL), BOTH, two_speeds);

    (void)state;
    spec.worker_count = 1;
    spec.workers = &(unsigned){1};
    orr_task_submit(unit->run, &spec);
    unit_wait(unit);
    check_task(unit, 0, 1, FAST, 2 * US);
    unit_run_free(unit);
}

static void ten_us(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    (void)worker;
    *cost = (struct orr_cost){10 * US, 7};
}

static void a_task_may_differ_from_its_kernel(void **state)
{
    struct unit_run *unit = begin("dm");
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    (void)state;
    assert_true(orr_kernel_set_costs(unit->run, own, ten_us, NULL, NULL));
    submit(unit, own, 0, NULL);
    unit_wait(unit);
    submit(unit, own, 1, one_speed);
    unit_wait(unit);
    check_task(unit, 0, 0, 0, 10 * US);
    check_task(unit, 1, 1, 0, 4 * US);
    assert_int_equal(orr_run_report(unit->run)->energy->dynamic_nj, 10 * JOULE);
    unit_run_free(unit);
}

/* A GPU that would be faster. */
static void restrictions_of_the_kernel_hold(void **state)
{
    static const struct orr_cost costs[] = {{1 * US, 0}, {5 * US, 0}};
    struct unit_run *unit = begin_with("dm", 1, 1);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    (void)state;
    submit(unit, own, 1, costs);
    unit_wait(unit);
    assert_true(orr_kernel_set_where(unit->run, own, ORR_WHERE_CPU, NULL));
    submit(unit, own, 1, costs);
    unit_wait(unit);
    check_task(unit, 0, 0, 0, 1 * US);
    check_task(unit, 1, 1, 0, 5 * US);
    unit_run_free(unit);
}

/* By the same factor on a worker. */
static void they_are_perturbed_as_costs_of_kernels(void **state)
{
    struct orr_config config = unit_config("dm", 1, 0);
    struct unit_run *unit;
    struct orr_kernel *own;
    int64_t took[2];

    (void)state;
    config.models = "clean,overheads=off";
    config.perturb.share = 0.5;
    config.seed = 3;
    unit = unit_run_new("three-gpus.xml", &config);
    own = orr_kernel_new(unit->run, "own", NULL);
    assert_true(orr_kernel_set_costs(unit->run, own, ten_us, NULL, NULL));
    submit(unit, own, 0, NULL);
    submit(unit, own, 1, &(const struct orr_cost){10 * US, 7});
    unit_wait(unit);
    for (unsigned i = 0; i < 2; i++)
        took[i] = unit_task(unit, i)->kernel_ended -
                  unit_task(unit, i)->kernel_started;
    assert_true(took[0] != 10 * US);
    assert_int_equal(took[1], took[0]);
    unit_run_free(unit);
}

/* Bounds take the fastest implementation on any CPU worker: four tasks of 1 us
 * on two workers. */
static void bounds_know_them(void **state)
{
    struct unit_run *unit = begin("dm");
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    struct orr_bounds_report bounds = {ORR_BOUNDS_REPORT_INIT};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_run_keep_for_bounds(unit->run);
    for (unsigned i = 0; i < 4; i++)
        submit(unit, own, BOTH, two_speeds);
    if (!orr_run_bounds(unit->run, &bounds, &error))
        fail_msg("%s", error->message);
    assert_true(fabs(bounds.area_s - 2e-6) < 1e-12);
    unit_run_free(unit);
}

static void check_wrong(struct orr_task_spec spec, const char *why)
{
    struct unit_run *unit = begin("dm");
    g_autofree char *message = g_strdup_printf("task 0 (own): %s", why);
    g_autoptr(GError) error = NULL;

    if (!spec.kernel && !spec.synchronises)
        spec.kernel = orr_kernel_new(unit->run, "own", NULL);
    spec.name = "own";
    orr_task_submit(unit->run, &spec);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void wrong_costs_are_refused(void **state)
{
    static const struct orr_cost below[] = {{1, 0}, {-1, 0}};
    static const struct orr_cost endless[] = {{1, 0}, {1, INFINITY}};
    static const struct orr_cost unequal[] = {{1, 0}, {0, 0}};
    static const struct orr_cost none[] = {{0, 0}, {0, 0}};
    static const struct orr_task_times times = {ORR_TASK_TIMES_INIT,
                                                .cpu_ns = 1};
    struct orr_task_spec spec = spec_of(NULL, 1, one_speed);

    (void)state;
    check_wrong(spec_of(NULL, 1, NULL),
                "times is NULL, but its kernel has no durations");
    check_wrong(spec_of(NULL, 0, one_speed),
                "implementations is 0, but costs is not NULL");
    check_wrong(spec_of(NULL, 5, one_speed),
                "implementations is above ORR_MAX_IMPLEMENTATIONS");
    check_wrong(spec_of(NULL, 1, below), "a time in costs is below 0");
    check_wrong(spec_of(NULL, 1, endless),
                "an energy in costs is not 0 to 1e9 J");
    check_wrong(spec_of(NULL, 1, unequal),
                "by its costs, some CPU workers can run it, and others cannot");
    check_wrong(spec_of(NULL, 1, none),
                "its times allow no worker of this run");
    spec.times = &times;
    check_wrong(spec, "it brings both times and costs");
    spec.times = NULL;
    spec.synchronises = true;
    check_wrong(spec, "it synchronises, but has costs or blocks its driver");
}

static void the_platform_has_the_costs_of_its_kernels(void **state)
{
    struct unit_run *unit = begin("dm");
    g_autoptr(GError) error = NULL;

    (void)state;
    submit(unit, unit->unit, 1, one_speed);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "task 0 (unit): it brings costs, but the platform has "
                        "its kernel's");
    unit_run_free(unit);
    unit = begin("dm");
    submit(unit, orr_kernel_new(unit->run, "own", NULL), 1, NULL);
    assert_false(orr_run_wait(unit->run, NULL));
    unit_run_free(unit);
}

/* With overheads on a GPU: the second task waits for the first one, then starts
 * at once; only then the third one is popped, which takes 2 us, and queued,
 * which takes 10 us. */
static void a_task_may_block_its_driver(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    const struct orr_task_spec blocks = {
        ORR_TASK_SPEC_INIT, .kernel = unit->unit, .blocks_driver = true};

    (void)state;
    unit_submit_bare(unit);
    orr_task_submit(unit->run, &blocks);
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->ended, 1013 * US);
    assert_int_equal(unit_task(unit, 1)->ended, 2013 * US);
    assert_int_equal(unit_task(unit, 2)->ended, 3025 * US);
    assert_int_equal(unit_task(unit, 3)->ended, 4025 * US);
    unit_run_free(unit);
}

ORR_TESTS(task_costs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dm_chooses_by_the_costs_of_the_task),
        cmocka_unit_test(eager_takes_the_first_implementation),
        cmocka_unit_test(equal_costs_are_one_object),
        cmocka_unit_test(programs_see_them_too),
        cmocka_unit_test(they_count_on_named_workers_alone),
        cmocka_unit_test(a_task_may_differ_from_its_kernel),
        cmocka_unit_test(restrictions_of_the_kernel_hold),
        cmocka_unit_test(they_are_perturbed_as_costs_of_kernels),
        cmocka_unit_test(bounds_know_them),
        cmocka_unit_test(wrong_costs_are_refused),
        cmocka_unit_test(the_platform_has_the_costs_of_its_kernels),
        cmocka_unit_test(a_task_may_block_its_driver),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

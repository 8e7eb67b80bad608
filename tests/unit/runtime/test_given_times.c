/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that bring their times. */
#include <math.h>
#include <string.h>

#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

static struct unit_run *begin(const char *sched, int cpus, int gpus)
{
    struct orr_config config = unit_config(sched, cpus, gpus);

    config.models = "clean,overheads=off";
    return unit_run_new("three-gpus.xml", &config);
}

static void submit_times(struct unit_run *unit, struct orr_kernel *kernel,
                         struct orr_data *data, int64_t cpu_ns, int64_t gpu_ns)
{
    const struct orr_task_times times = {ORR_TASK_TIMES_INIT, .cpu_ns = cpu_ns,
                                         .gpu_ns = gpu_ns};
    const struct orr_access access = {data, ORR_RW};
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT,    .kernel = kernel,    .times = &times,
        .count = data != NULL, .accesses = &access,
    };

    orr_task_submit(unit->run, &spec);
}

static void a_chain_takes_the_sum_of_its_times(void **state)
{
    struct unit_run *unit = begin("dmda", 1, 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    struct orr_data *data = orr_data_register(unit->run, 4);

    (void)state;
    submit_times(unit, own, data, 300 * US, 0);
    submit_times(unit, unit->unit, data, 50 * US, 7 * US);
    submit_times(unit, own, data, 300 * US, 0);
    unit_submit(unit, data, ORR_RW); /* takes 1000 us */
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 1650 * US);
    assert_int_equal(orr_run_report(unit->run)->times_of_kernels, 1);
    assert_int_equal(orr_run_report(unit->run)->times_from[ORR_TIMES_GIVEN], 3);
    assert_string_equal(unit_task(unit, 0)->name, "own");
    assert_string_equal(unit_task(unit, 1)->name, "unit");
    unit_run_free(unit);
}

/* Where the kernel itself takes 1000 us on each. */
static void policies_expect_the_given_times(void **state)
{
    struct unit_run *unit = begin("dm", 1, 1);

    (void)state;
    submit_times(unit, unit->unit, NULL, 200 * US, 100 * US);
    submit_times(unit, unit->unit, NULL, 90 * US, 500 * US);
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(orr_run_report(unit->run)->makespan_ns, 100 * US);
    assert_int_equal(orr_run_report(unit->run)->workers[0].busy_ns, 100 * US);
    assert_int_equal(orr_run_report(unit->run)->workers[1].busy_ns, 90 * US);
    unit_run_free(unit);
}

static void a_task_runs_only_where_it_has_a_time(void **state)
{
    static const char *const policies[] = {"eager", "lws", "dmdas", "random"};

    (void)state;
    for (size_t p = 0; p < G_N_ELEMENTS(policies); p++) {
        struct unit_run *unit = begin(policies[p], 2, 1);
        struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

        for (unsigned i = 0; i < 9; i++)
            submit_times(unit, own, NULL, i % 3 == 0 ? 100 * US : 0,
                         i % 3 == 0 ? 0 : 10 * US);
        assert_true(orr_run_wait(unit->run, NULL));
        assert_int_equal(orr_run_report(unit->run)->workers[0].tasks, 6);
        unit_run_free(unit);
    }
}

static void the_configuration_restricts_a_new_kernel(void **state)
{
    static const char *const where[] = {"own=cpu", NULL};
    struct orr_config config = unit_config("dm", 1, 1);
    struct unit_run *unit;

    (void)state;
    config.where = where;
    unit = unit_run_new("three-gpus.xml", &config);
    submit_times(unit, orr_kernel_new(unit->run, "own", NULL), NULL, 100 * US,
                 US);
    assert_true(orr_run_wait(unit->run, NULL));
    assert_int_equal(orr_run_report(unit->run)->workers[1].tasks, 1);
    unit_run_free(unit);
}

static void perturbation_changes_given_times_in_proportion(void **state)
{
    struct orr_config config = unit_config("dm", 1, 0);
    struct unit_run *unit;
    int64_t one, two;

    (void)state;
    config.perturb.share = 0.5;
    config.seed = 3;
    config.models = "clean,overheads=off";
    unit = unit_run_new("three-gpus.xml", &config);
    submit_times(unit, unit->unit, NULL, 1000 * US, 0);
    submit_times(unit, unit->unit, NULL, 3000 * US, 0);
    assert_true(orr_run_wait(unit->run, NULL));
    one = unit_task(unit, 0)->ended - unit_task(unit, 0)->started;
    two = unit_task(unit, 1)->ended - unit_task(unit, 1)->started;
    assert_int_not_equal(one, 1000 * US);
    assert_in_range(one, 500 * US, 1500 * US);
    assert_in_range(two, 3 * one - 3, 3 * one + 3);
    unit_run_free(unit);
}

/* Three times 400 us on the CPU, 100 us on the GPU: at best two on the GPU. */
static void bounds_know_the_given_times(void **state)
{
    struct unit_run *unit = begin("dmda", 1, 1);
    struct orr_workload *workload;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    submit_times(unit, unit->unit, NULL, 400 * US, 100 * US);
    submit_times(unit, unit->unit, NULL, 400 * US, 100 * US);
    submit_times(unit, unit->unit, NULL, 0, 300 * US);
    workload = orr_run_workload(unit->run);
    assert_int_equal(workload->task_count, 3);
    assert_true(fabs(workload->seconds[(size_t)2 * workload->kernels[0] + 1] -
                     1e-4) < 1e-12);
    assert_int_equal(workload->kernels[0], workload->kernels[1]);
    assert_true(isinf(workload->seconds[(size_t)2 * workload->kernels[2]]));
    orr_workload_free(workload);
    unit_run_free(unit);
}

static void expect_refused(struct unit_run *unit, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message, message);
    unit_run_free(unit);
}

static void wrong_times_are_refused(void **state)
{
    struct unit_run *unit = begin("dmda", 1, 0);
    struct orr_task_spec none = {
        ORR_TASK_SPEC_INIT, .kernel = orr_kernel_new(unit->run, "own", NULL)};
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_task_submit(unit->run, &none);
    expect_refused(unit, "task 0 (own): times is NULL, but its kernel has no "
                         "durations");
    unit = begin("dmda", 1, 0);
    submit_times(unit, unit->unit, NULL, -1, 5);
    expect_refused(unit, "task 0 (unit): its times are below 0");
    unit = begin("dmda", 1, 0);
    submit_times(unit, unit->unit, NULL, 0, 5);
    expect_refused(unit, "task 0 (unit): its times allow no worker of this "
                         "run");
    unit = begin("dmda", 1, 0);
    submit_times(unit, unit->unit, NULL, INT64_C(3999999999999999999), 5);
    submit_times(unit, unit->unit, NULL, 1, 1);
    submit_times(unit, unit->unit, NULL, 0, 1);
    expect_refused(unit, "task 2 (unit): its time, 1 ns, and those of earlier "
                         "tasks are together above 4e18 ns");
    unit = begin("dmda", 1, 0);
    assert_null(orr_kernel_new(unit->run, "", &error));
    assert_string_equal(error->message, "the name of the kernel is empty");
    unit_run_free(unit);
}

ORR_TESTS(given_times)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_takes_the_sum_of_its_times),
        cmocka_unit_test(policies_expect_the_given_times),
        cmocka_unit_test(a_task_runs_only_where_it_has_a_time),
        cmocka_unit_test(the_configuration_restricts_a_new_kernel),
        cmocka_unit_test(perturbation_changes_given_times_in_proportion),
        cmocka_unit_test(bounds_know_the_given_times),
        cmocka_unit_test(wrong_times_are_refused),
    };

    return cmocka_run_group_tests_name("given times", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels whose time and energy are given for each worker. */
#include <math.h>
#include <string.h>

#include "runtime/config/run_config.h"
#include "sched/registry.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* Worker w takes w + 1 us and twice as many joules. */
static void rising(const void *data, unsigned worker, struct orr_cost *cost)
{
    const double *joules = data;

    cost->ns = (int64_t)(worker + 1) * US;
    cost->joules = joules ? *joules : 2.0 * (worker + 1);
}

static struct unit_run *begin(const char *sched, double idle_power_w)
{
    struct orr_config config = unit_config(sched, 3, 0);

    config.models = "clean,overheads=off";
    config.idle_power_w = idle_power_w;
    return unit_run_new("three-gpus.xml", &config);
}

static void submit(struct unit_run *unit, struct orr_kernel *kernel)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel};

    orr_task_submit(unit->run, &spec);
}

static void each_worker_takes_its_time_and_joules(void **state)
{
    struct unit_run *unit = begin("dm", 1000);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    const struct orr_energy_report *energy;

    (void)state;
    assert_null(orr_run_report(unit->run)->energy);
    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    for (unsigned i = 0; i < 2; i++)
        submit(unit, own);
    unit_wait(unit);
    energy = orr_run_report(unit->run)->energy;
    assert_non_null(energy);
    assert_int_equal(energy->idle_nj,
                     1000 * orr_run_report(unit->run)->makespan_ns);
    assert_int_equal(energy->total_nj, energy->dynamic_nj + energy->idle_nj);
    assert_int_equal(energy->dynamic_nj % INT64_C(2000000000), 0);
    assert_int_equal(energy->kernel_count, 1);
    assert_string_equal(energy->kernels[0].name, "own");
    assert_int_equal(energy->kernels[0].nj, energy->dynamic_nj);
    assert_int_equal(energy->device_count, 2);
    assert_string_equal(energy->devices[0].name, "CPU");
    assert_string_equal(energy->devices[1].name, "machine");
    /* 2 J in each us */
    assert_true(energy->peak_power_w >= 2e6 + 1000);
    assert_true(energy->peak_power_w <= 6e6 + 1000);
    unit_run_free(unit);
}

/* The energy of a run becomes known while a kernel runs, which has none. */
static void energy_may_be_known_late(void **state)
{
    struct unit_run *unit = begin("dm", 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    const double joules = 3;

    (void)state;
    unit_submit_bare(unit);
    assert_true(orr_run_sleep(unit->run, 1 * US, NULL));
    assert_true(orr_kernel_set_costs(unit->run, own, rising, &joules, NULL));
    submit(unit, own);
    unit_wait(unit);
    assert_int_equal(orr_run_report(unit->run)->energy->dynamic_nj,
                     INT64_C(3000000000));
    unit_run_free(unit);
}

/* 2 J in 1 us. */
static void perturbed_costs_keep_their_watts(void **state)
{
    struct orr_config config = unit_config("dm", 1, 0);
    struct unit_run *unit;
    struct orr_kernel *own;
    const struct orr_report *report;
    double watts;

    (void)state;
    config.models = "clean,overheads=off";
    config.perturb.share = 0.5;
    config.seed = 3;
    unit = unit_run_new("three-gpus.xml", &config);
    own = orr_kernel_new(unit->run, "own", NULL);
    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    submit(unit, own);
    unit_wait(unit);
    report = orr_run_report(unit->run);
    assert_true(report->makespan_ns != US);
    assert_in_range(report->makespan_ns, US / 2, US + US / 2);
    watts = (double)report->energy->total_nj / (double)report->makespan_ns;
    assert_true(fabs(watts / 2e6 - 1) < 2e-3); /* times are whole ns */
    unit_run_free(unit);
}

static void check_refused(struct unit_run *unit, struct orr_kernel *kernel,
                          double joules, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(
        orr_kernel_set_costs(unit->run, kernel, rising, &joules, &error));
    assert_string_equal(error->message, message);
}

static void wrong_costs_are_refused(void **state)
{
    struct unit_run *unit = begin("dm", 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    (void)state;
    check_refused(unit, NULL, 1, "the kernel is NULL");
    check_refused(unit, own, -1,
                  "kernel own: its energy on CPU0 is -1: expected 0 to 1e9 J");
    check_refused(unit, own, NAN,
                  "kernel own: its energy on CPU0 is nan: expected 0 to 1e9 J");
    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    check_refused(unit, own, 1, "kernel own: its costs are given twice");
    check_refused(unit, unit->unit, 1,
                  "kernel unit: the platform has its costs");
    unit_run_free(unit);
}

/* Only the last CPU worker can run it. */
static void last_alone(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    cost->ns = worker == 2 ? US : 0;
}

static void all_cpu_workers_can_run_a_kernel_or_none(void **state)
{
    struct unit_run *unit = begin("dm", 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_false(
        orr_kernel_set_costs(unit->run, own, last_alone, NULL, &error));
    assert_string_equal(error->message,
                        "kernel own: some CPU workers can run it, and others "
                        "cannot");
    unit_run_free(unit);
}

/* Submits a task that only @count @workers may run. */
static void submit_named(struct unit_run *unit, struct orr_kernel *kernel,
                         const unsigned *workers, unsigned count, bool pinned)
{
    struct orr_task_spec spec = {ORR_TASK_SPEC_INIT, .kernel = kernel,
                                 .worker_count = count, .workers = workers,
                                 .pinned = pinned};

    orr_task_submit(unit->run, &spec);
}

/* CPU1 takes 2 us and 4 J, CPU2 3 us and 6 J. */
static void check_named(const char *sched)
{
    static const unsigned last_two[] = {1, 2};
    struct unit_run *unit = begin(sched, 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    submit_named(unit, own, &last_two[1], 1, false);
    unit_wait(unit);
    submit_named(unit, own, &last_two[1], 1, true);
    unit_wait(unit);
    submit_named(unit, own, last_two, 2, false);
    unit_wait(unit);
    for (unsigned i = 0; i < 3; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        if (i < 2)
            assert_int_equal(task->worker, 2);
        assert_in_range(task->worker, 1, 2);
        assert_int_equal(task->kernel_ended - task->kernel_started,
                         (task->worker + 1) * US);
    }
    assert_int_equal(orr_run_report(unit->run)->energy->dynamic_nj,
                     INT64_C(1000000000) *
                         (12 + 2 * (unit_task(unit, 2)->worker + 1)));
    assert_int_equal(orr_run_report(unit->run)->energy->kernel_count, 1);
    unit_run_free(unit);
}

static void tasks_may_name_workers(void **state)
{
    const struct orr_sched_ops *ops;

    (void)state;
    for (unsigned i = 0; (ops = orr_sched_builtin(i)); i++)
        check_named(ops->name);
}

static void dm_expects_the_costs_of_named_workers(void **state)
{
    static const unsigned workers[] = {2, 1};
    struct unit_run *unit = begin("dm", 0);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);

    (void)state;
    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    submit_named(unit, own, workers, 2, false);
    unit_wait(unit);
    assert_int_equal(unit_task(unit, 0)->worker, 1);
    unit_run_free(unit);
}

/* One factor for all tasks of a kernel on a worker, named or not. */
static void named_workers_are_perturbed_once(void **state)
{
    static const unsigned worker = 0;
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
    assert_true(orr_kernel_set_costs(unit->run, own, rising, NULL, NULL));
    submit(unit, own);
    submit_named(unit, own, &worker, 1, false);
    unit_wait(unit);
    for (unsigned i = 0; i < 2; i++)
        took[i] = unit_task(unit, i)->kernel_ended -
                  unit_task(unit, i)->kernel_started;
    assert_true(took[0] != US);
    assert_int_equal(took[1], took[0]);
    unit_run_free(unit);
}

/* Only CPUs can run it; worker 0 is a GPU. */
static void on_cpus(const void *data, unsigned worker, struct orr_cost *cost)
{
    (void)data;
    cost->ns = worker == 0 ? 0 : US;
}

static void one_of_the_named_workers_must_be_able(void **state)
{
    static const unsigned gpu = 0;
    struct orr_config config = unit_config("dm", 2, 1);
    struct unit_run *unit = unit_run_new("three-gpus.xml", &config);
    struct orr_kernel *own = orr_kernel_new(unit->run, "own", NULL);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_true(orr_kernel_set_costs(unit->run, own, on_cpus, NULL, NULL));
    submit_named(unit, own, &gpu, 1, false);
    assert_false(orr_run_wait(unit->run, &error));
    assert_string_equal(error->message,
                        "task 0 (own): none of the workers that it names can "
                        "run it");
    unit_run_free(unit);
}

static void wrong_weights_are_refused(void **state)
{
    struct orr_config config = unit_config("dmda", 3, 0);
    g_autoptr(GError) error = NULL;

    (void)state;
    config.platform = "attila";
    config.gamma = NAN;
    assert_null(orr_run_new(&config, &error));
    assert_non_null(strstr(error->message, "gamma"));
}

ORR_TESTS(costs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_worker_takes_its_time_and_joules),
        cmocka_unit_test(energy_may_be_known_late),
        cmocka_unit_test(perturbed_costs_keep_their_watts),
        cmocka_unit_test(wrong_costs_are_refused),
        cmocka_unit_test(all_cpu_workers_can_run_a_kernel_or_none),
        cmocka_unit_test(tasks_may_name_workers),
        cmocka_unit_test(dm_expects_the_costs_of_named_workers),
        cmocka_unit_test(named_workers_are_perturbed_once),
        cmocka_unit_test(one_of_the_named_workers_must_be_able),
        cmocka_unit_test(wrong_weights_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

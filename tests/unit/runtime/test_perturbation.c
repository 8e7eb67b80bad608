/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Factors on the durations of kernels: by worker, and by device. */
#include "runtime/config/run_config.h"
#include "runtime/recording.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

#define US ((int64_t)1000)

/* The duration of "unit" on a CPU. */
static int64_t perturbed(double perturb, uint64_t seed, const char *sched)
{
    struct orr_config config = unit_config(sched, 1, 0);
    struct unit_run *unit;
    int64_t duration;

    config.perturb.share = perturb;
    config.seed = seed;
    unit = unit_run_new("three-gpus.xml", &config);
    unit_submit_bare(unit);
    unit_wait(unit);
    duration = unit_task(unit, 0)->ended - unit_task(unit, 0)->started;
    unit_run_free(unit);
    return duration;
}

static void perturbed_durations_stay_within_bounds(void **state)
{
    int64_t least = INT64_MAX, most = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int64_t duration = perturbed(0.1, seed, "eager");

        assert_in_range(duration, 900 * US, 1100 * US);
        least = MIN(least, duration);
        most = MAX(most, duration);
    }
    assert_true(least < 920 * US && most > 1080 * US); /* and use them */
    assert_int_equal(perturbed(0, 5, "eager"), 1000 * US);
}

static void perturbation_follows_from_the_seed_alone(void **state)
{
    (void)state;
    assert_int_equal(perturbed(0.1, 1, "eager"), perturbed(0.1, 1, "eager"));
    assert_int_equal(perturbed(0.1, 1, "eager"), perturbed(0.1, 1, "dmdas"));
    assert_int_not_equal(perturbed(0.1, 1, "eager"),
                         perturbed(0.1, 2, "eager"));
}

static void devices_are_perturbed_each_on_its_own(void **state)
{
    struct orr_config config = unit_config("eager", 1, 3);
    struct unit_run *unit;

    (void)state;
    config.perturb.share = 0.1;
    config.perturb.by_device = true;
    unit = unit_run_new("three-gpus.xml", &config);
    for (unsigned one = 0; one < 4; one++) {
        for (unsigned other = 0; other < one; other++)
            assert_int_not_equal(unit->unit->durations[one],
                                 unit->unit->durations[other]);
    }
    unit_run_free(unit);
}

enum { CPUS = 5, GPUS = 3 };

static struct unit_run *perturbed_run(bool by_device)
{
    struct orr_config config = unit_config("dm", CPUS, GPUS);

    config.perturb.share = 0.1;
    config.perturb.by_device = by_device;
    config.seed = 3;
    return unit_run_new("three-gpus.xml", &config);
}

static void cpus_share_a_factor_only_by_device(void **state)
{
    struct unit_run *by_worker = perturbed_run(false);
    struct unit_run *by_device = perturbed_run(true);
    const orr_time *own = by_worker->unit->by_worker;
    const orr_time *shared = by_device->unit->by_worker;

    (void)state;
    for (unsigned w = 0; w < GPUS; w++)
        assert_int_equal(own[w], shared[w]);
    for (unsigned w = GPUS; w < GPUS + CPUS; w++) {
        assert_in_range(own[w], 900 * US, 1100 * US);
        assert_int_equal(shared[w], shared[GPUS]);
        for (unsigned other = GPUS; other < w; other++)
            assert_int_not_equal(own[w], own[other]);
    }
    unit_run_free(by_worker);
    unit_run_free(by_device);
}

/* Every kernel takes what policies expect of it on its worker. */
static void factors_are_those_that_policies_know(void **state)
{
    struct unit_run *unit = perturbed_run(false);
    bool seen[GPUS + CPUS] = {false};

    (void)state;
    for (unsigned i = 0; i < 40; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (unsigned i = 0; i < 40; i++) {
        const struct orr_trace_task *task = unit_task(unit, i);

        seen[task->worker] = true;
        assert_int_equal(task->kernel_ended - task->kernel_started,
                         unit->unit->by_worker[task->worker]);
    }
    for (unsigned w = 0; w < GPUS + CPUS; w++)
        assert_true(seen[w]);
    unit_run_free(unit);
}

static void bounds_take_the_fastest_worker(void **state)
{
    struct unit_run *unit = perturbed_run(false);
    struct orr_workload *workload;
    int64_t least = INT64_MAX;

    (void)state;
    orr_run_record(unit->run, UINT64_MAX);
    unit_submit_bare(unit);
    workload = orr_run_workload(unit->run);
    for (unsigned w = GPUS; w < GPUS + CPUS; w++)
        least = MIN(least, unit->unit->by_worker[w]);
    assert_float_equal(workload->seconds[workload->class_count],
                       orr_time_to_seconds(least), 1e-12);
    orr_workload_free(workload);
    unit_run_free(unit);
}

static void variations_are_perturbed_too(void **state)
{
    struct orr_config config = unit_config("eager", 1, 0);
    int64_t durations[2];

    (void)state;
    config.models = "durations=sampled";
    orr_config_set_spread(&config, 0);
    for (unsigned i = 0; i < 2; i++) {
        struct unit_run *unit;

        config.perturb.share = i * 0.1;
        unit = unit_run_new("three-gpus.xml", &config);
        unit_submit_bare(unit);
        unit_wait(unit);
        durations[i] = unit_task(unit, 0)->kernel_ended -
                       unit_task(unit, 0)->kernel_started;
        assert_int_equal(durations[i], unit->unit->by_worker[0]);
        unit_run_free(unit);
    }
    assert_int_not_equal(durations[0], durations[1]);
}

ORR_TESTS(perturbation)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perturbed_durations_stay_within_bounds),
        cmocka_unit_test(perturbation_follows_from_the_seed_alone),
        cmocka_unit_test(devices_are_perturbed_each_on_its_own),
        cmocka_unit_test(cpus_share_a_factor_only_by_device),
        cmocka_unit_test(factors_are_those_that_policies_know),
        cmocka_unit_test(bounds_take_the_fastest_worker),
        cmocka_unit_test(variations_are_perturbed_too),
    };

    return cmocka_run_group_tests_name("perturbation", tests, NULL, NULL);
}

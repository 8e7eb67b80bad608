/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task is pushed to a policy that does not prefetch, and only one class of
 * workers, with one memory, can run it: its data set out at once.
 *
 * One CPU and some GPUs of three-gpus.xml. A long task keeps the worker busy;
 * meanwhile the other class of workers has time to write the datum that the
 * next one reads. The policy is eager, first in first out.
 */
#include "tests/support/cmocka_all.h"
#include "tests/support/unit_run.h"

#define MS INT64_C(1000000)

static struct orr_kernel *kernel_new(struct unit_run *unit, const char *name)
{
    g_autoptr(GError) error = NULL;
    struct orr_kernel *kernel = orr_kernel_new(unit->run, name, &error);

    assert_non_null(kernel);
    return kernel;
}

static void submit(struct unit_run *unit, const char *name,
                   struct orr_task_times times, struct orr_access access)
{
    struct orr_task_spec spec = {
        ORR_TASK_SPEC_INIT, .kernel = kernel_new(unit, name), .times = &times,
        .count = access.data ? 1 : 0, .accesses = &access};

    orr_task_submit(unit->run, &spec);
}

/* "long" keeps the CPU, or the first GPU, for 100 ms; "make" writes a datum on
 * the other class within 2 ms; "use" reads it where "long" runs. Returns when
 * its copy begins, ns, by which "use" has been pushed. */
static int64_t copy_begins(const char *sched, struct orr_task_times on_user,
                           struct orr_task_times on_maker, int gpus)
{
    struct unit_run *unit = unit_run_on(sched, 1, gpus);
    struct orr_data *datum = orr_data_register(unit->run, 4000000);
    struct orr_task_times lengthy = {ORR_TASK_TIMES_INIT, 100 * on_user.cpu_ns,
                                     100 * on_user.gpu_ns, ORR_TIMES_GIVEN};
    int64_t begins;

    /* A GPU holds two tasks, so three keep each of them. */
    for (int i = 0; i < (on_user.gpu_ns ? 3 * gpus : 1); i++)
        submit(unit, "long", lengthy, (struct orr_access){0});
    submit(unit, "make", on_maker, (struct orr_access){datum, ORR_W});
    submit(unit, "use", on_user, (struct orr_access){datum, ORR_R});
    unit_wait(unit);
    assert_int_equal(unit->copies->len, 1);
    begins = unit_copy(unit, 0)->started;
    unit_run_free(unit);
    return begins;
}

static const struct orr_task_times cpu_only = {ORR_TASK_TIMES_INIT, MS, 0,
                                               ORR_TIMES_GIVEN};
static const struct orr_task_times gpu_only = {ORR_TASK_TIMES_INIT, 0, MS,
                                               ORR_TIMES_GIVEN};

static void what_only_cpus_can_run_goes_to_ram_when_pushed(void **state)
{
    (void)state;
    assert_in_range(copy_begins("eager", cpu_only, gpu_only, 1), MS, 3 * MS);
    assert_in_range(copy_begins("eager", cpu_only, gpu_only, 2), MS, 3 * MS);
    assert_in_range(copy_begins("lws", cpu_only, gpu_only, 1), MS, 3 * MS);
}

static void what_a_single_gpu_can_run_goes_there_when_pushed(void **state)
{
    (void)state;
    assert_in_range(copy_begins("eager", gpu_only, cpu_only, 1), MS, 3 * MS);
}

static void with_two_gpus_the_one_that_pops_fetches(void **state)
{
    (void)state;
    assert_in_range(copy_begins("eager", gpu_only, cpu_only, 2), 100 * MS,
                    400 * MS);
}

/* heteroprio prefetches itself, in pop. */
static void policies_that_prefetch_are_left_alone(void **state)
{
    (void)state;
    assert_in_range(copy_begins("heteroprio", cpu_only, gpu_only, 1), 100 * MS,
                    400 * MS);
}

/* Whether the run has CPU workers does not matter. */
static void what_both_classes_can_run_waits_for_its_worker(void **state)
{
    static const struct orr_task_times any = {ORR_TASK_TIMES_INIT, MS, 90 * MS,
                                              ORR_TIMES_GIVEN};
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    struct orr_data *datum = orr_data_register(unit->run, 4000000);

    (void)state;
    for (int i = 0; i < 3; i++)
        submit(unit, "long", any, (struct orr_access){0});
    submit(unit, "use", any, (struct orr_access){datum, ORR_R});
    unit_wait(unit);
    assert_in_range(unit_copy(unit, 0)->started, 90 * MS, 400 * MS);
    unit_run_free(unit);
}

static void cost_on_cpu(const void *data, unsigned worker,
                        struct orr_cost *cost)
{
    cost->ns = worker == *(const unsigned *)data ? MS : 0;
}

static void costs_by_worker_say_which_class_can_run_it(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    struct orr_data *datum = orr_data_register(unit->run, 4000000);
    struct orr_kernel *costly = kernel_new(unit, "costly");
    struct orr_task_times lengthy = {ORR_TASK_TIMES_INIT, 100 * MS, 0,
                                     ORR_TIMES_GIVEN};
    const unsigned cpu = 1;
    struct orr_access access = {datum, ORR_R};
    struct orr_task_spec use = {ORR_TASK_SPEC_INIT, .kernel = costly,
                                .count = 1, .accesses = &access};
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_true(
        orr_kernel_set_costs(unit->run, costly, cost_on_cpu, &cpu, &error));
    submit(unit, "long", lengthy, (struct orr_access){0});
    submit(unit, "make", gpu_only, (struct orr_access){datum, ORR_W});
    orr_task_submit(unit->run, &use);
    unit_wait(unit);
    assert_in_range(unit_copy(unit, 0)->started, MS, 3 * MS);
    unit_run_free(unit);
}

ORR_TESTS(push_prefetch)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_cpus_can_run_goes_to_ram_when_pushed),
        cmocka_unit_test(what_a_single_gpu_can_run_goes_there_when_pushed),
        cmocka_unit_test(with_two_gpus_the_one_that_pops_fetches),
        cmocka_unit_test(policies_that_prefetch_are_left_alone),
        cmocka_unit_test(what_both_classes_can_run_waits_for_its_worker),
        cmocka_unit_test(costs_by_worker_say_which_class_can_run_it),
    };

    return cmocka_run_group_tests_name("push_prefetch", tests, NULL, NULL);
}

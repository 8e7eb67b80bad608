/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arguments that the library refuses, and its messages. */
#include <string.h>

#include "models/base/error.h"
#include "runtime/config/run_config.h"
#include "runtime/diagnosis/hang.h"
#include "runtime/run.h"
#include "tests/support/unit_run.h"

/* No run comes of @config, on three-gpus.xml unless it says otherwise; the
 * error says @message. */
static void assert_refused(const struct orr_config *config, int code,
                           const char *message)
{
    g_autofree char *path = source_file("tests/platforms/three-gpus.xml");
    struct orr_config refused = *config;
    g_autoptr(GError) error = NULL;

    if (!refused.platform)
        refused.platform = path;
    assert_null(orr_run_new(&refused, &error));
    assert_non_null(error);
    assert_true(g_error_matches(error, ORR_ERROR, code));
    if (!strstr(error->message, message))
        fail_msg("%s", error->message);
}

static void an_unknown_platform_is_named(void **state)
{
    struct orr_config config = unit_config(NULL, -1, -1);

    (void)state;
    config.platform = "nowhere";
    assert_refused(&config, ORR_ERROR_UNKNOWN, "'nowhere'");
}

static void an_unknown_policy_is_named_with_those_there_are(void **state)
{
    struct orr_config config = unit_config("wishful", -1, -1);

    (void)state;
    assert_refused(&config, ORR_ERROR_UNKNOWN, "'wishful'");
    assert_refused(&config, ORR_ERROR_UNKNOWN, "dmdas");
}

static void an_unknown_model_switch_is_named(void **state)
{
    struct orr_config config = unit_config(NULL, -1, -1);

    (void)state;
    config.models = "weather=on";
    assert_refused(&config, ORR_ERROR_UNKNOWN, "weather");
}

static void more_gpus_than_can_be_is_an_error(void **state)
{
    struct orr_config config = unit_config(NULL, -1, 32);

    (void)state;
    assert_refused(&config, ORR_ERROR_VALUE,
                   "platform three-gpus would have more than 31 GPUs");
}

static void a_change_that_names_nothing_is_an_error(void **state)
{
    const char *const changes[] = {"memory.GPU7.size=1GB", NULL};
    struct orr_config config = unit_config(NULL, -1, -1);

    (void)state;
    config.changes = changes;
    assert_refused(&config, ORR_ERROR_UNKNOWN, "CUDA0, CUDA1, CUDA2");
}

static void more_cpus_than_gpus_leave_is_an_error(void **state)
{
    const char *const changes[] = {"cores=8", NULL};
    struct orr_config config = unit_config(NULL, 6, 3);

    (void)state;
    config.changes = changes;
    assert_refused(&config, ORR_ERROR_VALUE, "6 CPU workers requested");
    config.cpus = 9;
    config.gpus = 0;
    assert_refused(&config, ORR_ERROR_VALUE, "9 CPU workers requested");
}

static void a_run_without_workers_is_an_error(void **state)
{
    struct orr_config config = unit_config(NULL, 0, 0);

    (void)state;
    assert_refused(&config, ORR_ERROR_VALUE, "at least one");
}

static void an_unknown_kernel_or_size_is_named(void **state)
{
    struct unit_run *unit = unit_run_on("eager", -1, -1);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_kernel_find(unit->run, "test", "untold",
                                ORR_SINGLE_PRECISION, 960, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_non_null(strstr(error->message, "untold"));
    g_clear_error(&error);
    assert_null(orr_kernel_find(unit->run, "test", "unit", ORR_SINGLE_PRECISION,
                                961, &error));
    assert_non_null(strstr(error->message, "961"));
    /* the message lists the known tiles */
    assert_non_null(strstr(error->message, "960"));
    g_clear_error(&error);
    assert_null(orr_kernel_find(unit->run, "test", "unit", ORR_DOUBLE_PRECISION,
                                960, &error));
    assert_non_null(error);
    unit_run_free(unit);
}

static void a_kernel_must_run_on_a_worker_of_the_run(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 0, 1);
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_kernel_find(unit->run, "test", "on-cpu",
                                ORR_SINGLE_PRECISION, 960, &error));
    assert_non_null(error);
    g_clear_error(&error);
    assert_null(orr_kernel_find(unit->run, "test", "on-cuda1",
                                ORR_SINGLE_PRECISION, 960, &error));
    assert_non_null(error);
    unit_run_free(unit);
}

static void a_restricted_kernel_needs_a_worker_of_that_class(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    g_autoptr(GError) error = NULL;
    struct orr_kernel *on_cpu = orr_kernel_find(
        unit->run, "test", "on-cpu", ORR_SINGLE_PRECISION, 960, NULL);

    (void)state;
    assert_false(
        orr_kernel_set_where(unit->run, on_cpu, ORR_WHERE_GPU, &error));
    assert_string_equal(error->message,
                        "kernel on-cpu of test (single precision) is "
                        "restricted to GPUs, but no GPU of this run can run it "
                        "at tile 960");
    /* Nothing has changed. */
    assert_int_not_equal(on_cpu->durations[ORR_RAM], ORR_NEVER);
    unit_run_free(unit);
}

/* The configuration restricts the kernels of a name, and the last one counts.
 */
static void a_configuration_restricts_kernels_by_name(void **state)
{
    static const char *const where[] = {"unit=gpu", "on-cpu=gpu", "unit=cpu",
                                        "absent=cpu", NULL};
    struct orr_config config = unit_config("eager", 1, 1);
    g_autoptr(GError) error = NULL;
    struct unit_run *unit;

    (void)state;
    config.where = where;
    unit = unit_run_new("three-gpus.xml", &config);
    assert_int_equal(unit->unit->durations[1], ORR_NEVER);
    assert_int_not_equal(unit->unit->durations[ORR_RAM], ORR_NEVER);
    assert_null(orr_kernel_find(unit->run, "test", "on-cpu",
                                ORR_SINGLE_PRECISION, 960, &error));
    assert_non_null(strstr(error->message, "is restricted to GPUs"));
    unit_run_free(unit);
}

static void expect_worker(struct unit_run *unit, enum orr_where where,
                          unsigned first, unsigned last)
{
    unsigned task = unit->tasks->len;

    assert_true(orr_kernel_set_where(unit->run, unit->unit, where, NULL));
    for (unsigned i = 0; i < 4; i++)
        unit_submit_bare(unit);
    unit_wait(unit);
    for (; task < unit->tasks->len; task++)
        assert_in_range(unit_task(unit, task)->worker, first, last);
}

static void a_restricted_kernel_runs_there_alone(void **state)
{
    struct unit_run *unit = unit_run_on("eager", 2, 1);

    (void)state;
    expect_worker(unit, ORR_WHERE_GPU, 0, 0);
    expect_worker(unit, ORR_WHERE_CPU, 1, 2);
    expect_worker(unit, ORR_WHERE_ANY, 0, 2);
    unit_run_free(unit);
}

/* A policy that forgets its tasks. */
static void lose(struct orr_sched *sched, struct orr_task *task)
{
    (void)sched;
    (void)task;
}

static struct orr_task *find_nothing(struct orr_sched *sched, unsigned worker)
{
    (void)sched;
    (void)worker;
    return NULL;
}

static void a_policy_that_holds_its_tasks_stalls_the_run(void **state)
{
    static const struct orr_sched_ops hole = {
        .name = "hole",
        .push = lose,
        .pop = find_nothing,
    };
    struct unit_run *unit = unit_run_on("eager", 1, 1);
    g_autoptr(GError) error = NULL;

    (void)state;
    orr_sched_free(unit->run->policy.sched);
    unit->run->policy.sched = orr_sched_new(&hole, &unit->run->policy.host);
    unit->run->policy.ops = &hole;
    unit_submit_bare(unit);
    unit_submit_bare(unit);
    assert_false(orr_run_wait(unit->run, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_STALLED));
    assert_non_null(strstr(error->message, "2 of 2 tasks"));
    assert_non_null(strstr(error->message, "hole"));
    assert_int_equal(orr_run_hang(unit->run)->kind, ORR_HANG_NEVER_OFFERED);
    assert_false(orr_run_hang(unit->run)->livelock);
    unit_run_free(unit);
}

ORR_TESTS(run_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_platform_is_named),
        cmocka_unit_test(an_unknown_policy_is_named_with_those_there_are),
        cmocka_unit_test(an_unknown_model_switch_is_named),
        cmocka_unit_test(more_gpus_than_can_be_is_an_error),
        cmocka_unit_test(a_change_that_names_nothing_is_an_error),
        cmocka_unit_test(more_cpus_than_gpus_leave_is_an_error),
        cmocka_unit_test(a_run_without_workers_is_an_error),
        cmocka_unit_test(an_unknown_kernel_or_size_is_named),
        cmocka_unit_test(a_kernel_must_run_on_a_worker_of_the_run),
        cmocka_unit_test(a_restricted_kernel_needs_a_worker_of_that_class),
        cmocka_unit_test(a_configuration_restricts_kernels_by_name),
        cmocka_unit_test(a_restricted_kernel_runs_there_alone),
        cmocka_unit_test(a_policy_that_holds_its_tasks_stalls_the_run),
    };

    return cmocka_run_group_tests_name("run_errors", tests, NULL, NULL);
}

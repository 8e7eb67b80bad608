/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs that share a machine. */
#include "runtime/config/run_config.h"
#include "runtime/machine.h"

#include "tests/support/temp_file.h"

static const char *const changes[] = {"pcie=0.5x", NULL};

static struct orr_config config_of(const char *platform)
{
    struct orr_config config;

    orr_config_init(&config);
    config.platform = platform;
    config.cpus = 2;
    config.gpus = 2;
    config.changes = changes;
    return config;
}

/* Ten gemm, each on a datum of its own. */
static void submit(struct orr_run *run)
{
    struct orr_kernel *gemm = orr_kernel_find(run, "cholesky", "gemm",
                                              ORR_SINGLE_PRECISION, 960, NULL);

    assert_non_null(gemm);
    for (unsigned i = 0; i < 10; i++) {
        struct orr_task_spec spec = {
            ORR_TASK_SPEC_INIT,
            .kernel = gemm,
            .count = 1,
            .accesses =
                (const struct orr_access[]){
                    {orr_data_register(run, 3686400), ORR_RW}},
        };

        orr_task_submit(run, &spec);
    }
}

static int64_t makespan_of(struct orr_run *run)
{
    submit(run);
    assert_true(orr_run_wait(run, NULL));
    return orr_run_report(run)->makespan_ns;
}

static void runs_that_share_are_as_alone(void **state)
{
    g_autofree char *path = source_file("platforms/attila.xml");
    struct orr_config config = config_of(path);
    struct orr_run *alone = orr_run_new(&config, NULL);
    int64_t expected = makespan_of(alone);
    struct orr_machine *machine = orr_machine_new(&config, NULL);
    struct orr_run *first, *second;

    (void)state;
    assert_non_null(machine);
    config.machine = machine;
    config.platform = NULL; /* is not looked at */
    config.changes = NULL;
    first = orr_run_new(&config, NULL);
    second = orr_run_new(&config, NULL);
    assert_true(makespan_of(second) == expected);
    assert_int_equal(orr_run_report(second)->change_count, 1);
    assert_string_equal(orr_run_report(second)->changes[0], "pcie=0.5x");
    orr_run_free(second);
    assert_true(makespan_of(first) == expected);
    orr_run_free(first);
    orr_machine_free(machine);
    orr_run_free(alone);
}

static void a_machine_that_is_wrong_is_refused(void **state)
{
    struct orr_config config = config_of("nowhere.xml");
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_machine_new(&config, &error));
    assert_non_null(error);
    orr_machine_free(NULL);
}

static void platforms_are_found_in_the_folders_that_are_set(void **state)
{
    g_autofree char *folder = source_file("tests/platforms");
    const char *const folders[] = {"/nowhere", folder, NULL};
    struct orr_config config = config_of("three-gpus");
    struct orr_machine *machine;

    (void)state;
    config.changes = NULL;
    assert_null(orr_machine_new(&config, NULL));
    config.platform_folders = folders;
    machine = orr_machine_new(&config, NULL);
    assert_non_null(machine);
    orr_machine_free(machine);
}

ORR_TESTS(machine)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_that_share_are_as_alone),
        cmocka_unit_test(a_machine_that_is_wrong_is_refused),
        cmocka_unit_test(platforms_are_found_in_the_folders_that_are_set),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

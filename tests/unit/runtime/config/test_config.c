/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A configuration as programs make it: by name and text. */
#include "runtime/config/run_config.h"
#include "tests/support/cmocka_all.h"

static int setup(void **state)
{
    *state = orr_config_new();
    return 0;
}

static int teardown(void **state)
{
    orr_config_free(*state);
    return 0;
}

static void set(struct orr_config *config, const char *name, const char *value)
{
    GError *error = NULL;

    if (!orr_config_set(config, name, value, &error))
        fail_msg("%s=%s: %s", name, value, error->message);
}

static void texts_set_members(void **state)
{
    struct orr_config *config = *state;

    set(config, "platform", "mirage");
    set(config, "gpus", "4");
    set(config, "gpu-memory", "512MiB");
    set(config, "window", "10:20");
    set(config, "pipeline", "3");
    set(config, "perturb", "0.25:device");
    set(config, "max-wait", "5ms");
    set(config, "polling", NULL);
    set(config, "check-priorities", "");
    assert_string_equal(config->platform, "mirage");
    assert_int_equal(config->gpus, 4);
    assert_int_equal(config->cpus, -1);
    assert_true(config->gpu_memory_bytes == UINT64_C(512) << 20);
    assert_true(config->window.most == 20 && config->window.least == 10);
    assert_int_equal(config->pipeline, 3);
    assert_true(config->perturb.by_device && config->perturb.share > 0.2);
    assert_int_equal(config->max_wait, 5000000);
    assert_true(config->polling && config->check_priorities);
}

static void what_adds_is_kept_in_order(void **state)
{
    struct orr_config *config = *state;

    set(config, "pcie", "2x");
    set(config, "set", "link.Host.bandwidth=1GBps");
    set(config, "power-cap", "CUDA0=150W,cpu=60%");
    set(config, "where", "potrf=cpu");
    set(config, "where", "gemm=gpu");
    set(config, "model", "quirks=off");
    set(config, "durations", "sampled");
    assert_string_equal(config->changes[0], "pcie=2x");
    assert_string_equal(config->changes[1], "link.Host.bandwidth=1GBps");
    assert_string_equal(config->changes[2], "power-cap.CUDA0=150W");
    assert_string_equal(config->changes[3], "power-cap.cpu=60%");
    assert_null(config->changes[4]);
    assert_string_equal(config->where[1], "gemm=gpu");
    assert_null(config->where[2]);
    assert_string_equal(config->models, "quirks=off,durations=sampled");
}

static void texts_are_copied(void **state)
{
    struct orr_config *config = *state;
    const char *const one[] = {"here", NULL};
    char *folders[] = {g_strdup("there"), NULL};
    char text[] = "lws";

    orr_config_set_platform_folders(config, one);
    orr_config_set_platform_folders(config, (const char *const *)folders);
    set(config, "sched", text);
    text[0] = '?';
    folders[0][0] = '?';
    assert_string_equal(config->sched, "lws");
    assert_string_equal(config->platform_folders[0], "there");
    g_free(folders[0]);
}

static void the_value_that_was_set_last_is_returned(void **state)
{
    struct orr_config *config = *state;

    assert_null(orr_config_get(config, "gpus"));
    set(config, "gpus", "4");
    set(config, "gpus", "02");
    set(config, "polling", NULL);
    assert_string_equal(orr_config_get(config, "gpus"), "02");
    assert_string_equal(orr_config_get(config, "polling"), "");
    assert_null(orr_config_get(config, "gpu"));
}

static void refused(struct orr_config *config, const char *name,
                    const char *value, const char *message)
{
    GError *error = NULL;

    assert_false(orr_config_set(config, name, value, &error));
    assert_string_equal(error->message, message);
    g_clear_error(&error);
}

static void wrong_values_change_nothing(void **state)
{
    struct orr_config *config = *state;

    set(config, "gpus", "4");
    refused(config, "gpus", "four",
            "gpus: 'four': expected a whole number from 0 to 31");
    refused(config, "gpus", NULL, "option 'gpus' needs a value");
    refused(config, "polling", "yes", "option 'polling' takes no value");
    refused(config, "gpu", "4",
            "there is no option 'gpu' (did you mean 'gpus'?)");
    refused(config, "tiles", "4", "there is no option 'tiles'");
    refused(config, NULL, "4", "there is no option ''");
    assert_int_equal(config->gpus, 4);
    assert_string_equal(orr_config_get(config, "gpus"), "4");
    assert_false(orr_config_set(config, "power-cap", "cpu=60%,all=no", NULL));
    assert_null(config->changes);
    assert_null(orr_config_get(config, NULL));
}

static void each_option_has_a_name_of_its_own(void **state)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    const char *name;

    (void)state;
    for (unsigned i = 0; (name = orr_config_name(i)); i++)
        assert_true(g_hash_table_add(names, (gpointer)name));
    assert_string_equal(orr_config_name(0), "platform");
    assert_int_equal(g_hash_table_size(names), 29);
    assert_null(orr_config_name(29));
    assert_null(orr_config_name(1000));
}

/* A run does not need its configuration any more. */
static void a_run_outlives_its_configuration(void **state)
{
    struct orr_config *config = orr_config_new();
    const uint64_t left_out[] = {1};
    struct orr_run *run;
    struct orr_kernel *kernel;
    GError *error = NULL;

    (void)state;
    set(config, "platform", "attila");
    set(config, "where", "gemm=gpu");
    orr_config_set_left_out(config, left_out, 1);
    run = orr_run_new(config, &error);
    orr_config_free(config);
    assert_non_null(run);
    kernel = orr_kernel_find(run, "cholesky", "gemm", ORR_SINGLE_PRECISION, 960,
                             &error);
    assert_non_null(kernel);
    for (unsigned i = 0; i < 3; i++)
        orr_task_submit(
            run, &(struct orr_task_spec){ORR_TASK_SPEC_INIT, .kernel = kernel});
    assert_true(orr_run_wait(run, &error));
    assert_int_equal(orr_run_report(run)->tasks, 2);
    orr_run_free(run);
}

ORR_TESTS(config)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_set_members, setup, teardown),
        cmocka_unit_test_setup_teardown(what_adds_is_kept_in_order, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(texts_are_copied, setup, teardown),
        cmocka_unit_test_setup_teardown(the_value_that_was_set_last_is_returned,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_values_change_nothing, setup,
                                        teardown),
        cmocka_unit_test(each_option_has_a_name_of_its_own),
        cmocka_unit_test(a_run_outlives_its_configuration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/platform_change.h"

#include "models/platform/power_change.h"
#include "tests/support/platform_file.h"

#define AS_IT_IS .gpus = -1, .cpus = -1

static void changes_apply_in_their_order(void **state)
{
    const char *const settings[] = {"link.Host.bandwidth=4GBps",
                                    "link.*.bandwidth=2x", "pcie=0.5x",
                                    "link.CUDA0-RAM.bandwidth=1GBps", NULL};
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    struct orr_changes *changes = platform_change(
        platform, &(struct orr_what_if){AS_IT_IS, .settings = settings});

    (void)state;
    assert_true(platform_rate(platform, "Host") == 4e9);
    assert_true(platform_rate(platform, "RAM-CUDA0") == 10e9);
    assert_true(platform_rate(platform, "CUDA0-RAM") == 1e9);
    assert_true(platform_rate(platform, "CUDA0-CUDA1") == 20e9);
    assert_int_equal(changes->count, 4);
    for (unsigned i = 0; i < changes->count; i++) {
        assert_string_equal(changes->items[i].text, settings[i]);
        assert_null(changes->items[i].idle);
    }
    assert_int_equal(changes->items[1].parameters->len, 7);
    assert_int_equal(changes->items[2].parameters->len, 5);
    orr_changes_free(changes);
    orr_platform_free(platform);
}

static void the_machine_grows_before_it_changes(void **state)
{
    const char *const settings[] = {"memory.CUDA2.size=2GB", NULL};
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    struct orr_changes *changes =
        platform_change(platform, &(struct orr_what_if){3, 4, settings, false});

    (void)state;
    assert_int_equal(platform->gpu_count, 3);
    assert_int_equal(platform->gpus[2].memory_bytes, 2000000000);
    assert_int_equal(platform->cores, 7);
    assert_int_equal(changes->count, 3);
    assert_string_equal(changes->items[0].text, "gpus=3");
    assert_string_equal(changes->items[1].text, "cores=7");
    assert_string_equal(changes->items[2].text, "memory.CUDA2.size=2GB");
    orr_changes_free(changes);
    orr_platform_free(platform);
}

static void what_the_file_has_is_no_change(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    struct orr_changes *changes =
        platform_change(platform, &(struct orr_what_if){2, 2, NULL, false});

    (void)state;
    assert_int_equal(changes->count, 0);
    orr_changes_free(changes);
    changes =
        platform_change(platform, &(struct orr_what_if){1, 0, NULL, false});
    assert_int_equal(changes->count, 0);
    assert_int_equal(platform->gpu_count, 2);
    orr_changes_free(changes);
    orr_platform_free(platform);
}

static void expect_belief(const struct orr_platform *platform, unsigned from,
                          unsigned to, double bytes_per_s, double latency_s)
{
    const struct orr_platform_belief *belief =
        orr_platform_belief(platform, from, to);

    expect_near(belief->bytes_per_s, bytes_per_s, 1);
    expect_near(belief->latency_s, latency_s, 1e-12);
}

/* 20 GB/s are believed of a link of 10, and half of both when it is slower. */
static void beliefs_follow_the_route(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/three-gpus.xml");

    (void)state;
    expect_belief(platform, 1, 2, 20e9, 10e-6);
    platform_set(platform, "link.CUDA0-CUDA1.bandwidth=0.5x");
    platform_set(platform, "link.CUDA0-CUDA1.latency=30us");
    expect_belief(platform, 1, 2, 10e9, 30e-6);
    expect_belief(platform, 2, 1, 10e9, 10e-6);
    expect_belief(platform, 0, 1, 10e9, 10e-6);
    /* Both ways between RAM and each GPU cross it; others do not. */
    platform_set(platform, "link.Host.bandwidth=2GBps");
    expect_belief(platform, 0, 1, 2e9, 10e-6);
    expect_belief(platform, 3, 0, 2e9, 10e-6);
    expect_belief(platform, 1, 2, 10e9, 30e-6);
    /* A link that is not the narrowest. */
    platform_set(platform, "link.RAM-CUDA0.bandwidth=2x");
    expect_belief(platform, 0, 1, 2e9, 10e-6);
    orr_platform_free(platform);
}

static void beliefs_can_be_set_themselves(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/three-gpus.xml");

    (void)state;
    platform_set(platform, "belief.RAM-*.bandwidth=1GBps");
    platform_set(platform, "belief.RAM-CUDA0.latency=3us");
    expect_belief(platform, 0, 1, 1e9, 3e-6);
    expect_belief(platform, 0, 2, 1e9, 10e-6);
    expect_belief(platform, 1, 0, 10e9, 10e-6);
    /* And scale from there. */
    platform_set(platform, "pcie=2x");
    expect_belief(platform, 0, 1, 2e9, 3e-6);
    orr_platform_free(platform);
}

static void a_stale_calibration_stays(void **state)
{
    const char *const settings[] = {"pcie=0.5x", "nvlink=50GBps", NULL};
    struct orr_platform *platform = platform_read("platforms/hannibal.xml");
    struct orr_platform_belief before = *orr_platform_belief(platform, 0, 1);
    struct orr_changes *changes = platform_change(
        platform, &(struct orr_what_if){AS_IT_IS, .settings = settings,
                                        .stale_calibration = true});

    (void)state;
    assert_memory_equal(orr_platform_belief(platform, 0, 1), &before,
                        sizeof(before));
    assert_int_equal(changes->count, 3);
    assert_string_equal(changes->items[2].text, "stale-calibration");
    assert_null(changes->items[2].idle);
    assert_false(changes->items[0].beliefs);
    orr_changes_free(changes);
    orr_platform_free(platform);
}

/* Nothing was measured there: without a belief, it would be free. */
static void new_routes_are_believed_to_be_what_they_are(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/no-peer.xml");
    struct orr_platform *measured = platform_read("platforms/attila.xml");

    (void)state;
    platform_set(platform, "nvlink=50GBps");
    expect_belief(platform, 1, 2, 50e9, 10e-6);
    /* And where there was one, it follows: Host counts twice, 3.263 GB/s. */
    platform_set(measured, "nvlink=50GBps");
    expect_belief(measured, 1, 3,
                  3827.552062e6 / (6526732233.112210 / 2) * 50e9, 24.716781e-6);
    orr_platform_free(platform);
    orr_platform_free(measured);
}

static void expect_idle(const char *name, const char *setting,
                        const char *expected)
{
    const char *const settings[] = {setting, NULL};
    struct orr_platform *platform = platform_read(name);
    struct orr_changes *changes = platform_change(
        platform, &(struct orr_what_if){AS_IT_IS, .settings = settings});

    assert_non_null(changes->items[0].idle);
    assert_non_null(strstr(changes->items[0].idle, expected));
    assert_int_equal(changes->items[0].parameters->len, 0);
    orr_changes_free(changes);
    orr_platform_free(platform);
}

static void a_change_that_changes_nothing_says_so(void **state)
{
    (void)state;
    expect_idle("platforms/attila.xml", "pcie=32GBps", "slower than that");
    expect_idle("platforms/attila.xml", "cores=12", "already");
    expect_idle("platforms/attila.xml", "pcie=1x", "already");
    expect_idle("tests/platforms/cpu-only.xml", "pcie=2x", "no such link");
    expect_idle("tests/platforms/cpu-only.xml", "nvlink=2GBps", "no two GPUs");
}

static void a_calibration_that_nothing_makes_stale_says_so(void **state)
{
    const char *const settings[] = {"kernel.gemm.*.scale=2", NULL};
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    struct orr_changes *changes = platform_change(
        platform, &(struct orr_what_if){AS_IT_IS, .settings = settings,
                                        .stale_calibration = true});

    (void)state;
    assert_non_null(changes->items[1].idle);
    orr_changes_free(changes);
    orr_platform_free(platform);
}

static void expect_error(const char *name, const char *setting,
                         enum orr_error code, const char *expected)
{
    const char *const settings[] = {setting, NULL};
    const struct orr_what_if what = {AS_IT_IS, .settings = settings};
    struct orr_platform *platform = platform_read(name);
    GError *error = NULL;

    assert_null(orr_platform_change(platform, &what, &error));
    assert_true(g_error_matches(error, ORR_ERROR, (int)code));
    if (!strstr(error->message, expected) || !strstr(error->message, setting))
        fail_msg("%s", error->message);
    g_error_free(error);
    orr_platform_free(platform);
}

static void what_cannot_be_is_refused_by_the_name_of_its_setting(void **state)
{
    const char *name = "tests/platforms/everything.xml";

    (void)state;
    expect_error(name, "link.Nowhere.bandwidth=1GBps", ORR_ERROR_UNKNOWN,
                 "PCI:0000:[00-07] up");
    expect_error(name, "link.RAM-CUDA0.bandwidth=1GBps", ORR_ERROR_VALUE,
                 "several links");
    expect_error(name, "link.Host.bandwidth=0GBps", ORR_ERROR_VALUE, "above 0");
    expect_error(name, "link.Host.latency=-1us", ORR_ERROR_VALUE, "expected");
    expect_error(name, "cores=1", ORR_ERROR_VALUE, "2 GPUs");
    expect_error(name, "cores=4", ORR_ERROR_VALUE, "3 sockets");
    expect_error(name, "link.*.latency=86000s", ORR_ERROR_VALUE, "over a day");
    expect_error(name, "nvlink=2x", ORR_ERROR_VALUE, "no GPUs");
    /* Figures that follow from the changed one have bounds, too. */
    expect_error(name, "pcie=1Bps", ORR_ERROR_VALUE, "belief.RAM-CUDA");
    expect_error(name, "pcie=1e-10x", ORR_ERROR_VALUE, "link.Host.bandwidth");
    expect_error(name, "kernel.gemm.*.scale=1e12", ORR_ERROR_VALUE,
                 "at most a day");
    expect_error(name, "kernel.*.scale=1e-18", ORR_ERROR_VALUE, "Flop/s");
    expect_error(name, "pcie=fast", ORR_ERROR_VALUE, "gen1x1");
    expect_error(name, "bandwidth=1GBps", ORR_ERROR_UNKNOWN, "unknown figure");
    expect_error(name, "link.Host.bandwidth", ORR_ERROR_VALUE, "PATH=VALUE");
}

static void the_text_can_be_checked_without_a_machine(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_true(orr_change_check("link.any.bandwidth=1GBps", NULL));
    assert_true(orr_change_check("link.a=b.bandwidth=1GBps", NULL));
    assert_true(orr_change_check("nvlink=2x", NULL));
    assert_false(orr_change_check("", &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    g_clear_error(&error);
    assert_false(orr_change_check("=", &error));
    g_clear_error(&error);
    assert_false(orr_change_check("link.\xff.bandwidth=1GBps", &error));
    g_clear_error(&error);
}

/* Changes @path to @value. Returns whether that is possible. */
static bool change_power(struct orr_platform *platform, const char *path,
                         const char *value)
{
    g_autoptr(GArray) changed =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    bool other = false;

    return orr_power_change(platform, path, value, changed, &other, NULL);
}

/* The CPU draws at most 144 W, by a kernel: 50 % are 72 W, enough for the state
 * of 70 W. 48 % are 69 W. */
static void a_cap_is_a_share_of_the_highest_power(void **state)
{
    struct orr_platform *platform = platform_read("tests/platforms/power.xml");

    (void)state;
    assert_true(change_power(platform, "power-cap.cpu", "50%"));
    assert_int_equal(platform->power[ORR_RAM].current, 1);
    assert_false(change_power(platform, "power-cap.cpu", "48%"));
    orr_platform_free(platform);
}

/* States 0 to 2 of CUDA1 draw 130, 80 and 50 W. */
static void
a_cap_chooses_among_equal_states_the_one_that_draws_less(void **state)
{
    struct orr_platform *platform = platform_read("tests/platforms/power.xml");
    struct orr_power_table *table = &platform->power[2];

    (void)state;
    assert_true(change_power(platform, "power-cap.CUDA1", "100W"));
    assert_int_equal(table->current, 1); /* the fastest */
    table->states[2].speed = table->states[1].speed;
    assert_true(change_power(platform, "power-cap.CUDA1", "100W"));
    assert_int_equal(table->current, 2);
    assert_false(change_power(platform, "power-cap.CUDA1", "131W"));
    orr_platform_free(platform);
}

ORR_TESTS(platform_change)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_apply_in_their_order),
        cmocka_unit_test(the_machine_grows_before_it_changes),
        cmocka_unit_test(what_the_file_has_is_no_change),
        cmocka_unit_test(beliefs_follow_the_route),
        cmocka_unit_test(beliefs_can_be_set_themselves),
        cmocka_unit_test(a_stale_calibration_stays),
        cmocka_unit_test(new_routes_are_believed_to_be_what_they_are),
        cmocka_unit_test(a_change_that_changes_nothing_says_so),
        cmocka_unit_test(a_calibration_that_nothing_makes_stale_says_so),
        cmocka_unit_test(what_cannot_be_is_refused_by_the_name_of_its_setting),
        cmocka_unit_test(the_text_can_be_checked_without_a_machine),
        cmocka_unit_test(a_cap_is_a_share_of_the_highest_power),
        cmocka_unit_test(
            a_cap_chooses_among_equal_states_the_one_that_draws_less),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

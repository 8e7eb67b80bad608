/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/platform_resize.h"

#include <math.h>

#include "tests/support/platform_file.h"

static struct orr_platform *grow(const char *name, unsigned gpus,
                                 unsigned cores)
{
    struct orr_platform *platform = platform_read(name);
    g_autoptr(GError) error = NULL;

    if (!orr_platform_grow(platform, gpus, cores, &error))
        fail_msg("%s", error->message);
    return platform;
}

static void a_gpu_more_is_the_last_one_again(void **state)
{
    struct orr_platform *platform = grow("platforms/attila.xml", 4, 0);
    const struct orr_platform_gpu *gpu = &platform->gpus[3];

    (void)state;
    assert_int_equal(platform->gpu_count, 4);
    assert_int_equal(platform->node_count, 5);
    assert_string_equal(gpu->name, "CUDA3");
    assert_string_equal(gpu->model, "Fermi C2050");
    assert_int_equal(gpu->memory_bytes, 3220897792);
    assert_true(gpu->peer);
    for (unsigned k = 0; k < platform->kernel_count; k++)
        assert_int_equal(orr_platform_duration(&platform->kernels[k], 960, 4),
                         orr_platform_duration(&platform->kernels[k], 960, 3));
    assert_int_equal(platform->cores, 12);
    orr_platform_free(platform);
}

/* Of hannibal's GPUs, each has one segment for copies from RAM, one to it. */
static void a_gpu_more_has_the_segments_of_the_last_one(void **state)
{
    struct orr_platform *platform = grow("platforms/hannibal.xml", 4, 0);
    unsigned to = 0, from = 0;

    (void)state;
    assert_int_equal(platform->segment_count, 8);
    for (unsigned i = 0; i < 8; i++) {
        const struct orr_pitch_segment *segment = &platform->segments[i];

        to += segment->from == ORR_RAM && segment->to == 4;
        from += segment->from == 4 && segment->to == ORR_RAM;
    }
    assert_int_equal(to, 1);
    assert_int_equal(from, 1);
    orr_platform_free(platform);
}

/* In idgraf the last two GPUs are behind one switch, [82-84]. */
static void it_has_its_own_port_of_the_switch_that_it_shares(void **state)
{
    struct orr_platform *platform = grow("platforms/idgraf.xml", 9, 0);

    (void)state;
    platform_expect_route(platform, 0, 8,
                          "RAM-CUDA7, PCI:0000:83:00.0 down, "
                          "PCI:0000:[83-83] down, PCI:0000:[82-84] down, "
                          "PCI:0000:[81-84] through, PCI:0000:[81-84] down, "
                          "PCI:0000:[80-8a] through, PCI:0000:[80-8a] down, "
                          "Host");
    platform_expect_route(platform, 0, 9,
                          "RAM-CUDA8, PCI:0000:83:00.0 down (CUDA8), "
                          "PCI:0000:[83-83] down (CUDA8), "
                          "PCI:0000:[82-84] down, "
                          "PCI:0000:[81-84] through, PCI:0000:[81-84] down, "
                          "PCI:0000:[80-8a] through, PCI:0000:[80-8a] down, "
                          "Host");
    assert_true(platform_rate(platform, "RAM-CUDA8") ==
                platform_rate(platform, "RAM-CUDA7"));
    assert_int_equal(platform_link(platform, "RAM-CUDA8")->latency, 11000);
    orr_platform_free(platform);
}

/* As between CUDA6 and CUDA7: up to their switch and down again. */
static void twins_are_connected_as_neighbours_are(void **state)
{
    struct orr_platform *platform = grow("platforms/idgraf.xml", 9, 0);

    (void)state;
    platform_expect_route(platform, 7, 8,
                          "CUDA6-CUDA7, PCI:0000:83:00.0 down, "
                          "PCI:0000:[83-83] down, PCI:0000:[84-84] up, "
                          "PCI:0000:84:00.0 up");
    platform_expect_route(platform, 9, 8,
                          "CUDA8-CUDA7, PCI:0000:83:00.0 down, "
                          "PCI:0000:[83-83] down, "
                          "PCI:0000:[83-83] up (CUDA8), "
                          "PCI:0000:83:00.0 up (CUDA8)");
    platform_expect_route(platform, 8, 9,
                          "CUDA7-CUDA8, PCI:0000:83:00.0 down (CUDA8), "
                          "PCI:0000:[83-83] down (CUDA8), "
                          "PCI:0000:[83-83] up, PCI:0000:83:00.0 up");
    platform_expect_route(platform, 7, 9,
                          "CUDA6-CUDA8, PCI:0000:83:00.0 down (CUDA8), "
                          "PCI:0000:[83-83] down (CUDA8), "
                          "PCI:0000:[84-84] up, PCI:0000:84:00.0 up");
    assert_true(platform_rate(platform, "CUDA8-CUDA7") ==
                platform_rate(platform, "CUDA6-CUDA7"));
    orr_platform_free(platform);
}

/* In attila the last GPU has a host bridge of its own, [80-84]. */
static void twins_on_bridges_of_their_own_meet_at_the_host(void **state)
{
    struct orr_platform *platform = grow("platforms/attila.xml", 4, 0);

    (void)state;
    platform_expect_route(
        platform, 4, 3,
        "CUDA3-CUDA2, PCI:0000:84:00.0 down, PCI:0000:[84-84] through, "
        "PCI:0000:[84-84] down, PCI:0000:[80-84] through, "
        "PCI:0000:[80-84] down, Host, Host, "
        "PCI:0000:[80-84] up (CUDA3), PCI:0000:[80-84] through (CUDA3), "
        "PCI:0000:[84-84] up (CUDA3), PCI:0000:[84-84] through (CUDA3), "
        "PCI:0000:84:00.0 up (CUDA3)");
    orr_platform_free(platform);
}

static void gpus_that_share_their_host_only_have_links_in_pairs(void **state)
{
    struct orr_platform *platform = grow("platforms/sirocco.xml", 6, 0);

    (void)state;
    platform_expect_route(platform, 0, 6, "RAM-CUDA5, Host");
    platform_expect_route(platform, 1, 6, "CUDA0-CUDA5, Host");
    platform_expect_route(platform, 5, 6, "CUDA4-CUDA5, Host");
    platform_expect_route(platform, 6, 4, "CUDA5-CUDA3, Host");
    assert_true(platform_rate(platform, "CUDA4-CUDA5") ==
                platform_rate(platform, "CUDA2-CUDA3"));
    orr_platform_free(platform);
}

static void gpus_with_ports_of_their_own_have_one_more(void **state)
{
    struct orr_platform *platform = grow("platforms/dgx-h100.xml", 9, 0);

    (void)state;
    platform_expect_route(platform, 0, 9, "Host memory, CUDA8 PCIe in");
    platform_expect_route(platform, 1, 9, "CUDA0 NVLink out, CUDA8 NVLink in");
    platform_expect_route(platform, 9, 8, "CUDA7 NVLink in, CUDA8 NVLink out");
    orr_platform_free(platform);
}

static void without_routes_between_gpus_there_are_none(void **state)
{
    struct orr_platform *platform = grow("platforms/hannibal.xml", 5, 0);

    (void)state;
    platform_expect_route(platform, 0, 5, "RAM-CUDA4, Share");
    platform_expect_route(platform, 3, 4, "");
    platform_expect_route(platform, 4, 5, "");
    /* Pitched copies of the clone are as slow as those of the original. */
    assert_int_equal(platform->segment_count, 10); /* 6 of three GPUs */
    orr_platform_free(platform);
}

static void what_is_believed_is_repeated(void **state)
{
    struct orr_platform *platform = grow("platforms/attila.xml", 4, 0);
    const struct orr_platform_belief *old = orr_platform_belief(platform, 0, 3);
    const struct orr_platform_belief *new = orr_platform_belief(platform, 0, 4);

    (void)state;
    assert_true(new->bytes_per_s == old->bytes_per_s);
    assert_true(new->latency_s == old->latency_s);
    /* Between original and clone as between CUDA2 and its neighbour. */
    old = orr_platform_belief(platform, 2, 3);
    new = orr_platform_belief(platform, 4, 3);
    assert_true(new->bytes_per_s == old->bytes_per_s);
    new = orr_platform_belief(platform, 3, 4);
    assert_true(new->bytes_per_s == old->bytes_per_s);
    orr_platform_free(platform);
}

static void every_gpu_has_a_core(void **state)
{
    struct orr_platform *platform = grow("platforms/attila.xml", 15, 0);

    (void)state;
    assert_int_equal(platform->cores, 15);
    orr_platform_free(platform);
    platform = grow("platforms/attila.xml", 0, 20);
    assert_int_equal(platform->cores, 20);
    assert_int_equal(platform->gpu_count, 3);
    orr_platform_free(platform);
}

static void sockets_stay_alike(void **state)
{
    struct orr_platform *platform =
        grow("tests/platforms/everything.xml", 0, 4);

    (void)state;
    assert_int_equal(platform->sockets, 3);
    assert_int_equal(platform->cores, 6);
    orr_platform_free(platform);
}

static void expect_refused(const char *name, unsigned gpus, unsigned cores,
                           const char *expected)
{
    struct orr_platform *platform = platform_read(name);
    GError *error = NULL;

    assert_false(orr_platform_grow(platform, gpus, cores, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_non_null(strstr(error->message, expected));
    g_error_free(error);
    orr_platform_free(platform);
}

static void a_machine_has_bounds(void **state)
{
    (void)state;
    expect_refused("platforms/attila.xml", 32, 0, "more than 31 GPUs");
    expect_refused("platforms/attila.xml", 0, 1000000, "100000 CPU cores");
    expect_refused("tests/platforms/cpu-only.xml", 1, 0,
                   "no GPU that could be repeated");
}

/* All that a file could say: it is read back. */
static void the_largest_machine_is_one_that_files_can_hold(void **state)
{
    struct orr_platform *platform = grow("platforms/idgraf.xml", 31, 0);

    (void)state;
    assert_int_equal(platform->gpu_count, 31);
    assert_true(platform->link_count <= 4096);
    orr_platform_free(platform);
}

static void fewer_gpus_leave_their_links(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");

    (void)state;
    orr_platform_shrink(platform, 2, 7);
    assert_int_equal(platform->gpu_count, 2);
    assert_int_equal(platform->cores, 7);
    platform_expect_route(platform, 0, 2,
                          "RAM-CUDA1, PCI:0000:03:00.0 down, "
                          "PCI:0000:[03-03] through, PCI:0000:[03-03] down, "
                          "PCI:0000:[00-07] through, PCI:0000:[00-07] down, "
                          "Host");
    for (unsigned l = 0; l < platform->link_count; l++)
        assert_null(strstr(platform->links[l].name, "CUDA2"));
    for (unsigned k = 0; k < platform->kernel_count; k++)
        assert_true(orr_platform_duration(&platform->kernels[k], 960, 3) ==
                    ORR_NEVER);
    orr_platform_free(platform);
}

static void no_gpus_leave_no_links(void **state)
{
    struct orr_platform *platform = platform_read("platforms/hannibal.xml");

    (void)state;
    orr_platform_shrink(platform, 0, 8);
    assert_int_equal(platform->link_count, 0);
    assert_int_equal(platform->segment_count, 0);
    assert_int_equal(platform->kernel_count, 0); /* of GPUs all */
    orr_platform_free(platform);
}

/* tests/platforms/power.xml: six cores, 48 W static, 120 W busy (144 W with
 * "even") and 96 W polling, so that a core adds 12, 16 or 8 W. */
static void each_core_draws_what_it_drew(void **state)
{
    static const unsigned cores[] = {3, 12, 1};

    (void)state;
    for (unsigned i = 0; i < G_N_ELEMENTS(cores); i++) {
        struct orr_platform *platform =
            platform_read("tests/platforms/power.xml");
        const struct orr_power_state *full = &platform->power[0].states[0];
        double n = cores[i];

        orr_platform_set_cores(platform, cores[i]);
        assert_int_equal(platform->cores, cores[i]);
        assert_true(fabs(full->idle_w - 60) < 1e-9);
        assert_true(fabs(full->static_w - 48) < 1e-9);
        assert_true(fabs(full->busy_w - (48 + 12 * n)) < 1e-9);
        assert_true(fabs(full->poll_w - (48 + 8 * n)) < 1e-9);
        assert_true(fabs(full->kernels[0].watts - (48 + 16 * n)) < 1e-9);
        orr_platform_free(platform);
    }
}

ORR_TESTS(platform_resize)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_more_is_the_last_one_again),
        cmocka_unit_test(a_gpu_more_has_the_segments_of_the_last_one),
        cmocka_unit_test(it_has_its_own_port_of_the_switch_that_it_shares),
        cmocka_unit_test(twins_are_connected_as_neighbours_are),
        cmocka_unit_test(twins_on_bridges_of_their_own_meet_at_the_host),
        cmocka_unit_test(gpus_that_share_their_host_only_have_links_in_pairs),
        cmocka_unit_test(gpus_with_ports_of_their_own_have_one_more),
        cmocka_unit_test(without_routes_between_gpus_there_are_none),
        cmocka_unit_test(what_is_believed_is_repeated),
        cmocka_unit_test(every_gpu_has_a_core),
        cmocka_unit_test(sockets_stay_alike),
        cmocka_unit_test(a_machine_has_bounds),
        cmocka_unit_test(the_largest_machine_is_one_that_files_can_hold),
        cmocka_unit_test(fewer_gpus_leave_their_links),
        cmocka_unit_test(no_gpus_leave_no_links),
        cmocka_unit_test(each_core_draws_what_it_drew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/interconnect.h"

#include "models/platform/bus.h"
#include "tests/support/platform_file.h"

static struct orr_parameter_value parse(const char *text)
{
    struct orr_parameter_value value;
    g_autoptr(GError) error = NULL;

    if (!orr_pcie_parse(text, &value, &error))
        fail_msg("%s", error->message);
    return value;
}

static void generations_have_the_rates_of_pci_sig(void **state)
{
    (void)state;
    expect_near(parse("gen1x1").number, 250e6, 1);
    expect_near(parse("gen2x16").number, 8e9, 1);
    expect_near(parse("gen3x8").number, 7.8769e9, 1e5);
    expect_near(parse("gen4x16").number, 31.508e9, 1e6);
    expect_near(parse("gen5x16").number, 63.015e9, 1e6);
    expect_near(parse("gen6x16").number, 128e9, 1);
    assert_false(parse("gen4x16").is_factor);
    assert_true(parse("0.5x").is_factor);
    assert_true(parse("16GBps").number == 16e9);
}

static void what_is_no_pcie_is_refused(void **state)
{
    static const char *const texts[] = {
        "gen0x16", "gen7x16",  "gen4x3", "gen4x",   "gen4",     "gen",
        "gen44x1", "gen4x161", "x",      "0x",      "0.5",      "16GB",
        "-1x",     "0GBps",    "",       "Gen4x16", "gen4x16 ",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct orr_parameter_value value;
        GError *error = NULL;

        if (orr_pcie_parse(texts[i], &value, &error))
            fail_msg("'%s' was understood", texts[i]);
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
        g_error_free(error);
    }
}

static void routes_tell_what_links_are_made_of(void **state)
{
    struct orr_platform *direct = platform_read("tests/platforms/two-gpus.xml");
    struct orr_platform *attila = platform_read("platforms/attila.xml");
    g_autofree enum orr_link_kind *kinds = orr_link_kinds(direct);
    g_autofree enum orr_link_kind *others = orr_link_kinds(attila);

    (void)state;
    for (unsigned l = 0; l < direct->link_count; l++)
        assert_int_equal(kinds[l], l < 5 ? ORR_LINK_PCIE : ORR_LINK_DIRECT);
    for (unsigned l = 0; l < attila->link_count; l++)
        assert_int_equal(others[l], ORR_LINK_PCIE);
    orr_platform_free(direct);
    orr_platform_free(attila);
}

static unsigned change_pcie(struct orr_platform *platform, const char *text)
{
    g_autoptr(GArray) figures =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    struct orr_parameter_value value = parse(text);

    orr_pcie_change(platform, &value, figures);
    return figures->len;
}

static void a_factor_multiplies_every_pcie_link(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");

    (void)state;
    assert_int_equal(change_pcie(platform, "2x"), 5);
    assert_true(platform_rate(platform, "Host") == 20e9);
    assert_true(platform_rate(platform, "RAM-CUDA0") == 20e9);
    assert_true(platform_rate(platform, "CUDA0-CUDA1") == 10e9);
    orr_platform_free(platform);
}

/* A hub lets two copies pass at their full rate, before and after. */
static void
a_cap_holds_copies_and_leaves_hubs_as_wide_as_they_were(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    const char *hub = "PCI:0000:[02-02] through";
    const char *up = "PCI:0000:[02-02] up";

    (void)state;
    change_pcie(platform, "3GBps");
    for (unsigned node = 1; node < platform->node_count; node++) {
        expect_near(orr_bus_pace(platform, ORR_RAM, node).s_per_byte * 3e9, 1,
                    1e-9);
        expect_near(orr_bus_pace(platform, node, ORR_RAM).s_per_byte * 3e9, 1,
                    1e-9);
    }
    expect_near(platform_rate(platform, hub) / platform_rate(platform, up), 2,
                1e-9);
    orr_platform_free(platform);
}

static void a_cap_above_what_there_is_changes_nothing(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");

    (void)state;
    assert_int_equal(change_pcie(platform, "gen4x16"), 0);
    /* Only CUDA2's links are slower than 5.5 GB/s. */
    assert_true(change_pcie(platform, "5.5GBps") > 0);
    assert_true(platform_rate(platform, "RAM-CUDA2") == 5231971524.585075);
    assert_true(platform_rate(platform, "PCI:0000:[80-84] through") ==
                10463943049.170151);
    orr_platform_free(platform);
}

static bool change_direct(struct orr_platform *platform, const char *text,
                          unsigned *count)
{
    g_autoptr(GArray) figures =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    struct orr_parameter_value value = parse(text);
    bool changed = orr_direct_change(platform, &value, figures, NULL);

    *count = figures->len;
    return changed;
}

static void every_two_gpus_get_a_link_each_way(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    unsigned links = platform->link_count;
    unsigned changed;

    (void)state;
    assert_true(change_direct(platform, "50GBps", &changed));
    assert_int_equal(changed, 6);
    assert_int_equal(platform->link_count, links + 6);
    platform_expect_route(platform, 1, 3, "NVLink CUDA0-CUDA2");
    platform_expect_route(platform, 3, 1, "NVLink CUDA2-CUDA0");
    assert_true(platform_rate(platform, "NVLink CUDA0-CUDA2") == 50e9);
    /* That of the route that it replaces. */
    assert_int_equal(platform_link(platform, "NVLink CUDA0-CUDA2")->latency,
                     25000);
    orr_platform_free(platform);
}

static void gpus_without_routes_get_them_and_use_them(void **state)
{
    struct orr_platform *platform = platform_read("platforms/hannibal.xml");
    unsigned changed;

    (void)state;
    platform_expect_route(platform, 1, 2, "");
    assert_false(platform->gpus[0].peer);
    assert_true(change_direct(platform, "50GBps", &changed));
    platform_expect_route(platform, 1, 2, "NVLink CUDA0-CUDA1");
    assert_true(platform->gpus[0].peer);
    /* The slower half of the way through RAM: 12 us up, 13 us down. */
    assert_int_equal(platform_link(platform, "NVLink CUDA0-CUDA1")->latency,
                     13000);
    orr_platform_free(platform);
}

static void direct_links_that_are_there_change_their_rate(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/two-gpus.xml");
    unsigned links = platform->link_count;
    unsigned changed;

    (void)state;
    assert_true(change_direct(platform, "50GBps", &changed));
    assert_int_equal(changed, 2);
    assert_int_equal(platform->link_count, links);
    assert_true(platform_rate(platform, "CUDA1-CUDA0") == 50e9);
    assert_true(change_direct(platform, "0.5x", &changed));
    assert_true(platform_rate(platform, "CUDA1-CUDA0") == 25e9);
    assert_true(platform_rate(platform, "RAM-CUDA0") == 10e9);
    orr_platform_free(platform);
}

static void direct_links_that_are_not_there_have_no_double(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    unsigned changed;

    (void)state;
    assert_false(change_direct(platform, "2x", &changed));
    orr_platform_free(platform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_have_the_rates_of_pci_sig),
        cmocka_unit_test(what_is_no_pcie_is_refused),
        cmocka_unit_test(routes_tell_what_links_are_made_of),
        cmocka_unit_test(a_factor_multiplies_every_pcie_link),
        cmocka_unit_test(
            a_cap_holds_copies_and_leaves_hubs_as_wide_as_they_were),
        cmocka_unit_test(a_cap_above_what_there_is_changes_nothing),
        cmocka_unit_test(every_two_gpus_get_a_link_each_way),
        cmocka_unit_test(gpus_without_routes_get_them_and_use_them),
        cmocka_unit_test(direct_links_that_are_there_change_their_rate),
        cmocka_unit_test(direct_links_that_are_not_there_have_no_double),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/interconnect.h"

#include "models/platform/bus.h"
#include "tests/support/platform_file.h"

static struct orr_pcie parse(const char *text)
{
    struct orr_pcie pcie;
    g_autoptr(GError) error = NULL;

    if (!orr_pcie_parse(text, &pcie, &error))
        fail_msg("%s", error->message);
    return pcie;
}

/* PCI-SIG's rates without encoding, of which 256 of 284 bytes are data. */
static void generations_have_the_rates_of_data(void **state)
{
    (void)state;
    expect_near(parse("gen1x1").number, 250e6 * 256 / 284, 1);
    expect_near(parse("gen2x16").number, 8e9 * 256 / 284, 1);
    expect_near(parse("gen3x8").number, 7.1e9, 1e6);
    expect_near(parse("gen4x16").number, 28.401e9, 1e6);
    expect_near(parse("gen5x16").number, 56.803e9, 1e6);
    expect_near(parse("gen6x16").number, 106.366e9, 1e6);
    assert_int_equal(parse("gen4x16").change, ORR_PCIE_SLOTS);
    assert_int_equal(parse("0.5x").change, ORR_PCIE_FACTOR);
    assert_int_equal(parse("16GBps").change, ORR_PCIE_LIMIT);
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
        struct orr_pcie pcie;
        GError *error = NULL;

        if (orr_pcie_parse(texts[i], &pcie, &error))
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
    struct orr_pcie pcie = parse(text);

    orr_pcie_change(platform, &pcie, figures);
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
    assert_int_equal(change_pcie(platform, "32GBps"), 0);
    /* Only CUDA2's links are slower than 5.5 GB/s. */
    assert_true(change_pcie(platform, "5.5GBps") > 0);
    assert_true(platform_rate(platform, "RAM-CUDA2") == 5231971524.585075);
    assert_true(platform_rate(platform, "PCI:0000:[80-84] through") ==
                10463943049.170151);
    orr_platform_free(platform);
}

/* Each lone copy between RAM and a GPU gets the rate of @text. */
static void expect_slots(const struct orr_platform *platform, const char *text)
{
    double rate = parse(text).number;

    for (unsigned node = 1; node < platform->node_count; node++) {
        expect_near(orr_bus_pace(platform, ORR_RAM, node).s_per_byte * rate, 1,
                    1e-9);
        expect_near(orr_bus_pace(platform, node, ORR_RAM).s_per_byte * rate, 1,
                    1e-9);
    }
}

/* The machines differ: directions and slots that are not alike, a host bridge,
 * a tree of switches, a memory that is faster than the slots. */
static void a_generation_sets_every_slot_both_ways(void **state)
{
    static const char *const files[] = {
        "platforms/attila.xml",  "platforms/hannibal.xml",
        "platforms/sirocco.xml", "platforms/idcin-2.xml",
        "platforms/mirage.xml",  "platforms/dgx-h100.xml",
        "platforms/idgraf.xml",  "tests/platforms/two-gpus.xml",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        struct orr_platform *platform = platform_read(files[i]);

        assert_true(change_pcie(platform, "gen5x8") > 0);
        expect_slots(platform, "gen5x8");
        assert_int_equal(change_pcie(platform, "gen5x8"), 0);
        assert_true(change_pcie(platform, "gen1x4") > 0);
        expect_slots(platform, "gen1x4");
        orr_platform_free(platform);
    }
}

static void shared_links_and_peers_keep_their_proportion(void **state)
{
    struct orr_platform *platform = platform_read("platforms/sirocco.xml");
    double peer = platform_rate(platform, "CUDA0-CUDA2");
    double slots = platform_rate(platform, "RAM-CUDA2"); /* the slower */
    double rate = parse("gen4x16").number;

    (void)state;
    change_pcie(platform, "gen4x16");
    expect_near(platform_rate(platform, "RAM-CUDA0"), rate, 1);
    expect_near(platform_rate(platform, "CUDA0-RAM"), rate, 1);
    /* The fastest copy, CUDA2-RAM, has all of the host bridge, as before. */
    expect_near(platform_rate(platform, "Host"), rate, 1);
    expect_near(platform_rate(platform, "CUDA0-CUDA2"), peer / slots * rate, 1);
    orr_platform_free(platform);
}

static void a_generation_leaves_memory_and_direct_links(void **state)
{
    struct orr_platform *platform = platform_read("platforms/dgx-h100.xml");

    (void)state;
    change_pcie(platform, "gen1x1");
    assert_true(platform_rate(platform, "Host memory") == 614.4e9);
    assert_true(platform_rate(platform, "CUDA0 NVLink out") == 450e9);
    /* As the file has it, rounded. */
    change_pcie(platform, "gen5x16");
    expect_near(platform_rate(platform, "CUDA0 PCIe in"), 56.8e9, 1e7);
    orr_platform_free(platform);
}

/* A memory slower than a slot hides it from lone copies; the slot is set all
 * the same. */
static void a_generation_sets_slots_behind_a_slow_memory(void **state)
{
    struct orr_platform *platform = platform_read("platforms/dgx-h100.xml");

    (void)state;
    for (unsigned l = 0; l < platform->link_count; l++) {
        if (platform->links[l].kind == ORR_LINK_MEMORY)
            platform->links[l].bytes_per_s = 1e9;
    }
    change_pcie(platform, "gen4x16");
    expect_near(platform_rate(platform, "CUDA7 PCIe out"),
                parse("gen4x16").number, 1);
    orr_platform_free(platform);
}

static bool change_direct(struct orr_platform *platform, const char *text,
                          unsigned *count)
{
    g_autoptr(GArray) figures =
        g_array_new(FALSE, FALSE, sizeof(struct orr_parameter));
    struct orr_parameter_value value;
    bool changed;

    assert_true(
        orr_parameter_parse(ORR_PARAMETER_BANDWIDTH, text, &value, NULL));
    changed = orr_direct_change(platform, &value, figures, NULL);
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

ORR_TESTS(interconnect)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_have_the_rates_of_data),
        cmocka_unit_test(what_is_no_pcie_is_refused),
        cmocka_unit_test(routes_tell_what_links_are_made_of),
        cmocka_unit_test(a_factor_multiplies_every_pcie_link),
        cmocka_unit_test(
            a_cap_holds_copies_and_leaves_hubs_as_wide_as_they_were),
        cmocka_unit_test(a_cap_above_what_there_is_changes_nothing),
        cmocka_unit_test(a_generation_sets_every_slot_both_ways),
        cmocka_unit_test(shared_links_and_peers_keep_their_proportion),
        cmocka_unit_test(a_generation_leaves_memory_and_direct_links),
        cmocka_unit_test(a_generation_sets_slots_behind_a_slow_memory),
        cmocka_unit_test(every_two_gpus_get_a_link_each_way),
        cmocka_unit_test(gpus_without_routes_get_them_and_use_them),
        cmocka_unit_test(direct_links_that_are_there_change_their_rate),
        cmocka_unit_test(direct_links_that_are_not_there_have_no_double),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

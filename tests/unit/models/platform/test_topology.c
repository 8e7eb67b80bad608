/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/topology.h"

#include "tests/support/platform_file.h"

static void expect_hop(const struct orr_topology *topology, unsigned number,
                       uint32_t gpus, unsigned depth, const char *links)
{
    assert_in_range(number, 0, topology->count - 1);
    assert_int_equal(topology->hops[number].gpus, gpus);
    assert_int_equal(topology->hops[number].depth, depth);
    assert_string_equal(topology->hops[number].links, links);
}

/* Host for all, a bridge for the first two, the rest for each. */
static void what_gpus_share_is_a_tree(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    struct orr_topology *topology = orr_topology_new(platform);

    (void)state;
    assert_int_equal(topology->count, 5);
    expect_hop(topology, 0, 0xe, 0, "Host");
    expect_hop(topology, 1, 0x6, 1, "PCI:0000:[00-07]");
    expect_hop(topology, 2, 0x2, 2,
               "RAM-CUDA0; CUDA0-RAM; PCI:0000:[02-02]; ...");
    expect_hop(topology, 3, 0x4, 2,
               "RAM-CUDA1; CUDA1-RAM; PCI:0000:[03-03]; ...");
    expect_hop(topology, 4, 0x8, 1,
               "RAM-CUDA2; CUDA2-RAM; PCI:0000:[80-84]; ...");
    assert_int_equal(topology->hops[0].parent, 0);
    assert_int_equal(topology->hops[1].parent, 0);
    assert_int_equal(topology->hops[3].parent, 1);
    assert_int_equal(topology->hops[4].parent, 0);
    assert_int_equal(orr_hop_gpu(&topology->hops[1]), 0);
    assert_int_equal(orr_hop_gpu(&topology->hops[4]), 3);
    orr_topology_free(topology);
    orr_platform_free(platform);
}

static void the_narrowest_link_each_way_counts(void **state)
{
    struct orr_platform *platform = platform_read("platforms/attila.xml");
    struct orr_topology *topology;

    (void)state;
    platform_set(platform, "link.PCI:0000:[02-02] down.bandwidth=1GBps");
    platform_set(platform, "link.PCI:0000:02:00.0 up.bandwidth=2GBps");
    platform_set(platform, "link.PCI:0000:[02-02] through.bandwidth=2.5GBps");
    topology = orr_topology_new(platform);
    expect_near(topology->hops[2].to_bytes_per_s, 1e9, 0);
    expect_near(topology->hops[2].from_bytes_per_s, 2e9, 0);
    expect_near(topology->hops[2].both_bytes_per_s, 2.5e9, 0);
    expect_near(topology->hops[0].to_bytes_per_s, 0, 0);
    expect_near(topology->hops[0].both_bytes_per_s, 6526732233.112210, 0);
    orr_topology_free(topology);
    orr_platform_free(platform);
}

static void a_gpu_without_links_of_its_own_is_a_leaf_still(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/everything.xml");
    struct orr_topology *topology = orr_topology_new(platform);

    (void)state;
    assert_int_equal(topology->count, 3);
    expect_hop(topology, 0, 0x6, 0, "Host");
    expect_hop(topology, 1, 0x2, 1, "PCI:0000:[00-07]");
    expect_hop(topology, 2, 0x4, 1, "");
    orr_topology_free(topology);
    orr_platform_free(platform);
}

static void without_gpus_there_is_no_tree(void **state)
{
    struct orr_platform *platform =
        platform_read("tests/platforms/cpu-only.xml");
    struct orr_topology *topology = orr_topology_new(platform);

    (void)state;
    assert_int_equal(topology->count, 0);
    orr_topology_free(topology);
    orr_platform_free(platform);
}

ORR_TESTS(topology)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gpus_share_is_a_tree),
        cmocka_unit_test(the_narrowest_link_each_way_counts),
        cmocka_unit_test(a_gpu_without_links_of_its_own_is_a_leaf_still),
        cmocka_unit_test(without_gpus_there_is_no_tree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

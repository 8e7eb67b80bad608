/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdbool.h>

#include "models/cost/share.h"
#include "tests/support/cmocka_all.h"

#define FLOW(route, w)                                                         \
    {                                                                          \
        .links = (route), .count = G_N_ELEMENTS(route), .weight = (w)          \
    }

static void solve(const double *capacities, size_t link_count,
                  struct orr_flow *flows, size_t count)
{
    struct orr_share *share = orr_share_new(link_count, capacities);
    g_autofree struct orr_flow **list = g_new(struct orr_flow *, count);

    for (size_t f = 0; f < count; f++)
        list[f] = &flows[f];
    orr_share_solve(share, list, count);
    orr_share_free(share);
}

static void lone_flow_has_its_narrowest_link(void **state)
{
    const double capacities[] = {100, 40, 70};
    const unsigned route[] = {0, 1, 2};
    struct orr_flow flow = FLOW(route, 3);

    (void)state;
    solve(capacities, 3, &flow, 1);
    assert_true(flow.bytes_per_s == 40);
}

static void link_listed_twice_counts_double(void **state)
{
    const double capacities[] = {100, 60};
    const unsigned route[] = {0, 1, 0};
    struct orr_flow flow = FLOW(route, 1);

    (void)state;
    solve(capacities, 2, &flow, 1);
    assert_true(flow.bytes_per_s == 50);
}

static void shares_of_a_link_are_in_proportion_to_weights(void **state)
{
    const double capacities[] = {80};
    const unsigned route[] = {0};
    struct orr_flow flows[] = {FLOW(route, 1), FLOW(route, 3)};

    (void)state;
    solve(capacities, 1, flows, 2);
    assert_true(flows[0].bytes_per_s == 20);
    assert_true(flows[1].bytes_per_s == 60);
}

static void what_a_flow_cannot_use_goes_to_the_others(void **state)
{
    const double capacities[] = {10, 100};
    const unsigned slow[] = {0, 1};
    const unsigned fast[] = {1};
    struct orr_flow flows[] = {FLOW(fast, 1), FLOW(slow, 1), FLOW(fast, 2)};

    (void)state;
    solve(capacities, 2, flows, 3);
    assert_true(flows[1].bytes_per_s == 10);
    assert_true(flows[0].bytes_per_s == 30);
    assert_true(flows[2].bytes_per_s == 60);
}

static void flows_apart_do_not_meet(void **state)
{
    const double capacities[] = {10, 20};
    const unsigned left[] = {0};
    const unsigned right[] = {1};
    struct orr_flow flows[] = {FLOW(left, 5), FLOW(right, 1)};

    (void)state;
    solve(capacities, 2, flows, 2);
    assert_true(flows[0].bytes_per_s == 10);
    assert_true(flows[1].bytes_per_s == 20);
}

static void light_flow_keeps_its_share_when_a_heavy_one_is_fixed(void **state)
{
    const double capacities[] = {8, 16};
    const unsigned heavy[] = {0, 1};
    const unsigned light[] = {1};
    /* 1e17 + 0.25 - 1e17 is 0 in floating point. */
    struct orr_flow flows[] = {FLOW(heavy, 1e17), FLOW(light, 0.25)};

    (void)state;
    solve(capacities, 2, flows, 2);
    assert_true(flows[0].bytes_per_s == 8);
    assert_true(flows[1].bytes_per_s == 8);
}

static void no_flow_is_nothing_to_do(void **state)
{
    const double capacity = 1;

    (void)state;
    solve(&capacity, 1, NULL, 0);
    orr_share_free(NULL);
}

enum { LINKS = 12, FLOWS = 9, HOPS = 4 };

struct random_case {
    double capacities[LINKS];
    unsigned routes[FLOWS][HOPS];
    struct orr_flow flows[FLOWS];
    struct orr_flow *list[FLOWS];
    size_t count;
};

static void draw_case(struct random_case *c, GRand *rand)
{
    for (unsigned l = 0; l < LINKS; l++)
        c->capacities[l] = g_rand_double_range(rand, 1, 10);
    c->count = g_rand_int_range(rand, 1, FLOWS + 1);
    for (size_t f = 0; f < c->count; f++) {
        c->flows[f] = (struct orr_flow){
            .links = c->routes[f],
            .count = g_rand_int_range(rand, 1, HOPS + 1),
            .weight = g_rand_double_range(rand, 0.1, 10),
        };
        for (unsigned i = 0; i < HOPS; i++) /* may list a link twice */
            c->routes[f][i] = g_rand_int_range(rand, 0, LINKS);
        c->list[f] = &c->flows[f];
    }
}

static unsigned times_listed(const struct orr_flow *flow, unsigned link)
{
    unsigned times = 0;

    for (unsigned i = 0; i < flow->count; i++)
        times += flow->links[i] == link;
    return times;
}

/* Whether @link is full, and no flow on it has more for its weight. */
static bool holds_back(const struct random_case *c, unsigned link,
                       const struct orr_flow *flow)
{
    double carried = 0;
    double level = flow->bytes_per_s / flow->weight;

    for (size_t f = 0; f < c->count; f++) {
        unsigned times = times_listed(&c->flows[f], link);

        carried += times * c->flows[f].bytes_per_s;
        if (times > 0 &&
            c->flows[f].bytes_per_s / c->flows[f].weight > level * (1 + 1e-9))
            return false;
    }
    assert_true(carried <= c->capacities[link] * (1 + 1e-9));
    return carried >= c->capacities[link] * (1 - 1e-9);
}

/* This is what defines weighted max-min sharing: Bertsekas & Gallager. */
static void every_flow_is_held_back_by_some_link(void **state)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);

    (void)state;
    for (unsigned trial = 0; trial < 500; trial++) {
        struct random_case c;

        draw_case(&c, rand);
        solve(c.capacities, LINKS, c.flows, c.count);
        for (size_t f = 0; f < c.count; f++) {
            unsigned bottlenecks = 0;

            for (unsigned i = 0; i < c.flows[f].count; i++)
                bottlenecks += holds_back(&c, c.flows[f].links[i], &c.flows[f]);
            assert_true(bottlenecks > 0);
        }
    }
}

static void earlier_solves_leave_no_trace(void **state)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(8);
    struct random_case c;
    struct orr_share *share;

    (void)state;
    draw_case(&c, rand);
    share = orr_share_new(LINKS, c.capacities);
    for (unsigned trial = 0; trial < 100; trial++) {
        double rates[FLOWS] = {0};

        orr_share_solve(share, c.list, c.count);
        for (size_t f = 0; f < c.count; f++)
            rates[f] = c.flows[f].bytes_per_s;
        solve(c.capacities, LINKS, c.flows, c.count); /* with a fresh one */
        for (size_t f = 0; f < c.count; f++)
            assert_true(c.flows[f].bytes_per_s == rates[f]);
        c.count = g_rand_int_range(rand, 1, (int)c.count + 1);
    }
    orr_share_free(share);
}

/*
 * Machine attila, as StarPU calibrated it and simulates it over SimGrid: the
 * links and routes of bus/attila.platform.v4.xml in its sampling directory,
 * and when StarPU over SimGrid ends copies of one tile of 960 x 960 floats
 * that start together.
 */
enum attila_link {
    HOST,
    RAM_CUDA0,
    CUDA0_RAM,
    RAM_CUDA1,
    RAM_CUDA2,
    CUDA2_RAM,
    CUDA0_CUDA1,
    CUDA0_CUDA2,
    BRIDGE00_UP, /* above CUDA0 and CUDA1 */
    BRIDGE00_DOWN,
    BRIDGE00_THROUGH,
    BRIDGE02_UP, /* above CUDA0 alone */
    BRIDGE02_DOWN,
    BRIDGE02_THROUGH,
    DEVICE02_UP,
    DEVICE02_DOWN,
    BRIDGE03_DOWN, /* above CUDA1 alone */
    BRIDGE03_THROUGH,
    DEVICE03_DOWN,
    BRIDGE80_UP, /* above CUDA2, as the next */
    BRIDGE80_DOWN,
    BRIDGE80_THROUGH,
    BRIDGE84_UP,
    BRIDGE84_DOWN,
    BRIDGE84_THROUGH,
    DEVICE84_UP,
    DEVICE84_DOWN,
    ATTILA_LINKS,
};

static const double attila[ATTILA_LINKS] = {
    [HOST] = 6526732233.112210,
    [RAM_CUDA0] = 6008661719.001335,
    [CUDA0_RAM] = 6526024509.281727,
    [RAM_CUDA1] = 6001134065.085753,
    [RAM_CUDA2] = 5231971524.585075,
    [CUDA2_RAM] = 4519044753.742499,
    [CUDA0_CUDA1] = 5296862725.591065,
    [CUDA0_CUDA2] = 3792200896.189628,
    [BRIDGE00_UP] = 6526732233.112210,
    [BRIDGE00_DOWN] = 6008661719.001335,
    [BRIDGE00_THROUGH] = 13053464466.224421,
    [BRIDGE02_UP] = 6526024509.281727,
    [BRIDGE02_DOWN] = 6008661719.001335,
    [BRIDGE02_THROUGH] = 13052049018.563454,
    [DEVICE02_UP] = 6526024509.281727,
    [DEVICE02_DOWN] = 6008661719.001335,
    [BRIDGE03_DOWN] = 6001134065.085753,
    [BRIDGE03_THROUGH] = 13053464466.224421,
    [DEVICE03_DOWN] = 6001134065.085753,
    [BRIDGE80_UP] = 4519044753.742499,
    [BRIDGE80_DOWN] = 5231971524.585075,
    [BRIDGE80_THROUGH] = 10463943049.170151,
    [BRIDGE84_UP] = 4519044753.742499,
    [BRIDGE84_DOWN] = 5231971524.585075,
    [BRIDGE84_THROUGH] = 10463943049.170151,
    [DEVICE84_UP] = 4519044753.742499,
    [DEVICE84_DOWN] = 5231971524.585075,
};

static const unsigned cuda0_ram[] = {
    CUDA0_RAM,   DEVICE02_UP, BRIDGE02_THROUGH, BRIDGE02_UP, BRIDGE00_THROUGH,
    BRIDGE00_UP, HOST,
};
static const unsigned ram_cuda0[] = {
    RAM_CUDA0,     DEVICE02_DOWN,    BRIDGE02_THROUGH,
    BRIDGE02_DOWN, BRIDGE00_THROUGH, BRIDGE00_DOWN,
    HOST,
};
static const unsigned ram_cuda1[] = {
    RAM_CUDA1,     DEVICE03_DOWN,    BRIDGE03_THROUGH,
    BRIDGE03_DOWN, BRIDGE00_THROUGH, BRIDGE00_DOWN,
    HOST,
};
static const unsigned ram_cuda2[] = {
    RAM_CUDA2,     DEVICE84_DOWN,    BRIDGE84_THROUGH,
    BRIDGE84_DOWN, BRIDGE80_THROUGH, BRIDGE80_DOWN,
    HOST,
};
static const unsigned cuda2_ram[] = {
    CUDA2_RAM,   DEVICE84_UP, BRIDGE84_THROUGH, BRIDGE84_UP, BRIDGE80_THROUGH,
    BRIDGE80_UP, HOST,
};
static const unsigned cuda0_cuda1[] = {
    CUDA0_CUDA1,      DEVICE03_DOWN, BRIDGE03_THROUGH, BRIDGE03_DOWN,
    BRIDGE00_THROUGH, BRIDGE02_UP,   BRIDGE02_THROUGH, DEVICE02_UP,
};
static const unsigned cuda0_cuda2[] = {
    CUDA0_CUDA2,
    DEVICE84_DOWN,
    BRIDGE84_THROUGH,
    BRIDGE84_DOWN,
    BRIDGE80_THROUGH,
    BRIDGE80_DOWN,
    HOST,
    HOST,
    BRIDGE00_UP,
    BRIDGE00_THROUGH,
    BRIDGE02_UP,
    BRIDGE02_THROUGH,
    DEVICE02_UP,
};

/* A copy of a tile: after its latency, it takes its share of the links. */
struct copy {
    struct orr_flow flow;
    double latency_s;
    double bytes_left;
    double end_s; /* 0 while it is under way */
};

#define COPY(route, us)                                                        \
    {                                                                          \
        .flow = FLOW(route, 1e6 / (us)), .latency_s = (us)*1e-6,               \
        .bytes_left = sizeof(float[960][960])                                  \
    }

enum { MAX_COPIES = 3 };

/* Lists the copies that take bandwidth at date @now. */
static size_t active(struct copy *copies, size_t count, double now,
                     struct orr_flow **flows)
{
    size_t n = 0;

    for (size_t c = 0; c < count; c++) {
        if (copies[c].end_s == 0 && copies[c].latency_s <= now)
            flows[n++] = &copies[c].flow;
    }
    return n;
}

/* The date until which rates stay as they are. */
static double next_date(const struct copy *copies, size_t count, double now)
{
    double next = INFINITY;

    for (size_t c = 0; c < count; c++) {
        const struct copy *copy = &copies[c];

        if (copy->latency_s > now)
            next = MIN(next, copy->latency_s);
        else if (copy->end_s == 0)
            next = MIN(next, now + copy->bytes_left / copy->flow.bytes_per_s);
    }
    return next;
}

static void advance(struct copy *copies, size_t count, double now, double next)
{
    for (size_t c = 0; c < count; c++) {
        struct copy *copy = &copies[c];

        if (copy->end_s != 0 || copy->latency_s > now)
            continue;
        copy->bytes_left -= (next - now) * copy->flow.bytes_per_s;
        if (copy->bytes_left < 0.01)
            copy->end_s = next;
    }
}

static void transfer(struct copy *copies, size_t count)
{
    struct orr_share *share = orr_share_new(ATTILA_LINKS, attila);
    struct orr_flow *flows[MAX_COPIES];
    double now = 0;
    double next;

    do {
        orr_share_solve(share, flows, active(copies, count, now, flows));
        next = next_date(copies, count, now);
        if (next < INFINITY)
            advance(copies, count, now, next);
        now = next;
    } while (now < INFINITY);
    orr_share_free(share);
}

static void assert_ends_at_us(const struct copy *copy, double expected)
{
    if (fabs(copy->end_s * 1e6 - expected) > 1e-3)
        fail_msg("ends at %.4f us, not %.3f", copy->end_s * 1e6, expected);
}

static void attila_lone_copies_end_as_in_the_reference(void **state)
{
    struct copy up = COPY(cuda0_ram, 10);
    struct copy peer = COPY(cuda0_cuda1, 15);
    struct copy far = COPY(cuda0_cuda2, 25); /* crosses Host twice */

    (void)state;
    transfer(&up, 1);
    transfer(&peer, 1);
    transfer(&far, 1);
    assert_ends_at_us(&up, 574.877);
    assert_ends_at_us(&peer, 710.959);
    assert_ends_at_us(&far, 1154.631);
}

static void attila_copies_both_ways_share_the_host_link(void **state)
{
    struct copy gpu0[] = {COPY(ram_cuda0, 9), COPY(cuda0_ram, 10)};
    struct copy gpu2[] = {COPY(ram_cuda2, 10), COPY(cuda2_ram, 11)};

    (void)state;
    transfer(gpu0, 2);
    assert_ends_at_us(&gpu0[0], 1081.400);
    assert_ends_at_us(&gpu0[1], 1138.717);
    transfer(gpu2, 2);
    assert_ends_at_us(&gpu2[0], 1087.754);
    assert_ends_at_us(&gpu2[1], 1162.965);
}

static void attila_copies_of_several_gpus_share_the_host_link(void **state)
{
    struct copy up[] = {COPY(cuda0_ram, 10), COPY(cuda2_ram, 11)};
    struct copy down[] = {COPY(ram_cuda0, 9), COPY(ram_cuda1, 9),
                          COPY(ram_cuda2, 10)};

    (void)state;
    transfer(up, 2);
    assert_ends_at_us(&up[0], 1087.375);
    assert_ends_at_us(&up[1], 1162.847);
    transfer(down, 3);
    assert_ends_at_us(&down[0], 1646.630);
    assert_ends_at_us(&down[1], 1646.630);
    assert_ends_at_us(&down[2], 1717.606);
}

ORR_TESTS(share)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lone_flow_has_its_narrowest_link),
        cmocka_unit_test(link_listed_twice_counts_double),
        cmocka_unit_test(shares_of_a_link_are_in_proportion_to_weights),
        cmocka_unit_test(what_a_flow_cannot_use_goes_to_the_others),
        cmocka_unit_test(flows_apart_do_not_meet),
        cmocka_unit_test(light_flow_keeps_its_share_when_a_heavy_one_is_fixed),
        cmocka_unit_test(no_flow_is_nothing_to_do),
        cmocka_unit_test(every_flow_is_held_back_by_some_link),
        cmocka_unit_test(earlier_solves_leave_no_trace),
        cmocka_unit_test(attila_lone_copies_end_as_in_the_reference),
        cmocka_unit_test(attila_copies_both_ways_share_the_host_link),
        cmocka_unit_test(attila_copies_of_several_gpus_share_the_host_link),
    };

    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}

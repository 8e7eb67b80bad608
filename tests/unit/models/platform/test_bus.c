/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/platform/bus.h"
#include "tests/support/cmocka_all.h"

enum { RAM, CUDA0, CUDA1, NODES };
enum { SLOW, HOST, LINKS };

/* RAM and two GPUs; CUDA0 to CUDA1 goes in and out of the host's link. */
struct fixture {
    struct orr_platform platform;
    struct orr_platform_link links[LINKS];
    struct orr_platform_route routes[NODES * NODES];
    struct orr_platform_belief beliefs[NODES * NODES];
    unsigned down[2];
    unsigned peer[3];
};

static int setup(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->platform.node_count = NODES;
    f->platform.link_count = LINKS;
    f->platform.links = f->links;
    f->platform.routes = f->routes;
    f->platform.beliefs = f->beliefs;

    f->links[SLOW].bytes_per_s = 4e9;
    f->links[SLOW].latency = 10 * ORR_US;
    f->links[HOST].bytes_per_s = 6e9;
    f->links[HOST].latency = 2 * ORR_US;
    f->down[0] = SLOW;
    f->down[1] = HOST;
    f->peer[0] = HOST;
    f->peer[1] = SLOW;
    f->peer[2] = HOST;
    f->routes[RAM * NODES + CUDA0].count = G_N_ELEMENTS(f->down);
    f->routes[RAM * NODES + CUDA0].links = f->down;
    f->routes[CUDA0 * NODES + CUDA1].count = G_N_ELEMENTS(f->peer);
    f->routes[CUDA0 * NODES + CUDA1].links = f->peer;

    f->beliefs[RAM * NODES + CUDA0].bytes_per_s = 1e9;
    f->beliefs[RAM * NODES + CUDA0].latency_s = 10e-6;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    g_free(*state);
    return 0;
}

static orr_time measured(struct fixture *f, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes)
{
    return orr_bus_predict(&f->platform, ORR_BELIEF_REFERENCE, gpus, from, to,
                           bytes);
}

static orr_time on_route(struct fixture *f, unsigned gpus, unsigned from,
                         unsigned to, uint64_t bytes)
{
    return orr_bus_predict(&f->platform, ORR_BELIEF_ROUTE, gpus, from, to,
                           bytes);
}

static void measured_copy_is_believed_2_gpus_times_slower(void **state)
{
    struct fixture *f = *state;

    /* 1 MB at 1 GB/s is 1 ms. */
    assert_int_equal(measured(f, 1, RAM, CUDA0, 1000000), 2010 * ORR_US);
    assert_int_equal(measured(f, 3, RAM, CUDA0, 1000000), 6010 * ORR_US);
    assert_int_equal(measured(f, 3, RAM, CUDA0, 0), 10 * ORR_US);
}

static void measured_copy_of_attila_is_as_in_the_reference(void **state)
{
    struct fixture *f = *state;
    struct orr_platform_belief *belief = &f->beliefs[RAM * NODES + CUDA0];

    /* bus/attila.bandwidth and .latency of StarPU's sampling directory. */
    belief->bytes_per_s = 6008.942513e6;
    belief->latency_s = 9.500836e-6;

    /* 9.500836 us + 3686400 B / 6008.942513 MB/s x 6 = 3690.4147 us */
    assert_int_equal(measured(f, 3, RAM, CUDA0, 3686400), 3690415);
}

static void result_is_rounded_once(void **state)
{
    struct fixture *f = *state;
    struct orr_platform_belief *belief = &f->beliefs[RAM * NODES + CUDA0];

    /* 0.4 ns + 0.4 ns is 1 ns; rounded one by one it would be 0. */
    belief->bytes_per_s = 5e9;
    belief->latency_s = 0.4e-9;
    assert_int_equal(measured(f, 1, RAM, CUDA0, 1), 1);
}

static void copy_not_measured_is_believed_free(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(measured(f, 1, CUDA0, CUDA1, 1000000), 0);
}

static void idle_route_gives_its_narrowest_link(void **state)
{
    struct fixture *f = *state;

    /* 10 us + 2 us, then 4 MB at 4 GB/s; however many GPUs there are. */
    assert_int_equal(on_route(f, 1, RAM, CUDA0, 4000000), 1012 * ORR_US);
    assert_int_equal(on_route(f, 8, RAM, CUDA0, 4000000), 1012 * ORR_US);
}

static void link_listed_twice_halves_its_bandwidth(void **state)
{
    struct fixture *f = *state;

    /* 2 us twice + 10 us, then 3 MB at 6 GB/s / 2, below the other's 4. */
    assert_int_equal(on_route(f, 1, CUDA0, CUDA1, 3000000), 1014 * ORR_US);
}

static void without_a_route_nothing_is_believed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(on_route(f, 1, CUDA1, RAM, 1000000), 0);
}

ORR_TESTS(bus)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(measured_copy_is_believed_2_gpus_times_slower),
        T(measured_copy_of_attila_is_as_in_the_reference),
        T(result_is_rounded_once),
        T(copy_not_measured_is_believed_free),
        T(idle_route_gives_its_narrowest_link),
        T(link_listed_twice_halves_its_bandwidth),
        T(without_a_route_nothing_is_believed),
#undef T
    };

    return cmocka_run_group_tests_name("bus", tests, NULL, NULL);
}

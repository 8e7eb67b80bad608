/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies that share links. They move 4 MB each over links of 10 GB/s: alone,
 * that takes 400 us. Each writes down its letter and the us at which it ends.
 */
#include "runtime/executor/network.h"

#include "runtime/run.h"
#include "tests/support/cmocka_all.h"

enum { COPIES = 3, LINKS = 2, ROUTES = 3 };

struct fixture {
    struct orr_run run; /* first */
    struct orr_network *network;
    struct orr_copy copies[COPIES];
    struct orr_route routes[ROUTES]; /* over link 0, over 1, over both */
    GString *log;
};

static void note_end(struct orr_store *store, struct orr_copy *copy)
{
    struct fixture *f = (struct fixture *)store->run;

    g_string_append_printf(f->log, "%c%d ", (char)('a' + (copy - f->copies)),
                           (int)(store->engine->now / ORR_US));
}

static const struct orr_turns noting = {.data.copy_ended = note_end};

static int setup(void **state)
{
    static const double capacities[LINKS] = {10e9, 10e9};
    static const struct orr_links links = {LINKS, capacities, ROUTES};
    static const unsigned numbers[LINKS] = {0, 1};
    struct fixture *f = g_new0(struct fixture, 1);

    f->routes[0].flow = (struct orr_flow){&numbers[0], 1, 1, 0};
    f->routes[1].flow = (struct orr_flow){&numbers[1], 1, 1, 0};
    f->routes[2].flow = (struct orr_flow){numbers, 2, 1, 0};
    orr_engine_init(&f->run.engine, NULL);
    f->run.turns = &noting;
    orr_run_lend(&f->run);
    f->network = orr_network_shared_new(&f->run, &links);
    f->log = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    f->network->free(f->network);
    orr_engine_clear(&f->run.engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

/* Copy @i begins, by that route. */
static void carry(struct fixture *f, unsigned i, size_t route)
{
    struct orr_copy *copy = &f->copies[i];

    *copy = (struct orr_copy){
        .store = &f->run.store,
        .route = route,
        .flow = f->routes[route].flow,
        .bytes_left = 4e6,
    };
    f->network->carry(f->network, copy, &f->routes[route]);
}

static void run(struct fixture *f)
{
    while (orr_engine_step(&f->run.engine))
        ;
}

static void a_copy_alone_has_its_links(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 2);
    run(f);
    assert_string_equal(f->log->str, "a400 ");
}

static void it_begins_after_its_latency(void **state)
{
    struct fixture *f = *state;

    f->routes[0].latency = 7 * ORR_US;
    carry(f, 0, 0);
    assert_true(orr_network_shared_is_latency(&f->copies[0].event));
    orr_engine_step(&f->run.engine);
    assert_int_equal(f->run.engine.now, 7 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "a407 ");
}

static void copies_on_one_link_share_it_and_the_later_ends_first(void **state)
{
    struct fixture *f = *state;

    /* Of two latencies that end at one date, the last to begin ends first: a
     * crosses the link after b. */
    carry(f, 0, 0);
    carry(f, 1, 2);
    run(f);
    assert_string_equal(f->log->str, "a800 b800 ");
}

static void copies_on_different_links_do_not(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0);
    carry(f, 1, 1);
    run(f);
    assert_string_equal(f->log->str, "a400 b400 ");
}

static void shares_are_in_proportion_to_weights(void **state)
{
    struct fixture *f = *state;

    /* Three quarters for a: 533 us. Then b has 2.67 MB left, which take 267 us
     * alone. */
    f->routes[0].flow.weight = 3;
    carry(f, 0, 0);
    carry(f, 1, 2);
    run(f);
    assert_string_equal(f->log->str, "a533 b800 ");
}

static void a_later_copy_slows_the_others_down(void **state)
{
    struct fixture *f = *state;

    /* At 100 us, a has 3 MB to go, and half the rate from then on. At 700, b
     * has 1 MB to go, alone. */
    f->routes[2].latency = 100 * ORR_US;
    carry(f, 0, 0);
    carry(f, 1, 2);
    run(f);
    assert_string_equal(f->log->str, "a700 b800 ");
}

static void a_combination_that_comes_again_is_shared_alike(void **state)
{
    struct fixture *f = *state;

    for (unsigned i = 0; i < 2; i++) {
        carry(f, 0, 0);
        carry(f, 1, 2);
        carry(f, 2, 1);
        run(f);
    }
    /* Each link is halved, and all three end together. */
    assert_string_equal(f->log->str, "a800 b800 c800 a1600 b1600 c1600 ");
}

ORR_TESTS(network)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_copy_alone_has_its_links),
        T(it_begins_after_its_latency),
        T(copies_on_one_link_share_it_and_the_later_ends_first),
        T(copies_on_different_links_do_not),
        T(shares_are_in_proportion_to_weights),
        T(a_later_copy_slows_the_others_down),
        T(a_combination_that_comes_again_is_shared_alike),
#undef T
    };

    return cmocka_run_group_tests_name("network", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies that share links in lock-step. They move 4 MB each over links of
 * 10 GB/s: alone, that takes 400 us. Each writes down its letter and the us at
 * which it ends.
 */
#include "runtime/lockstep/lockstep.h"
#include "runtime/lockstep/members.h"

#include "runtime/lockstep/clock.h"
#include "runtime/run.h"
#include "tests/support/cmocka_all.h"

enum { COPIES = 3, LINKS = 2 };

struct carried {
    struct orr_copy copy; /* first */
    _Alignas(double) unsigned char behind[ORR_NETWORK_LAZY_COPY_BYTES];
};

struct fixture {
    struct orr_run run; /* first */
    struct orr_network *network;
    struct carried carried[COPIES];
    GString *log;
};

static void settle(struct fixture *f)
{
    const struct orr_clock *clock = orr_clock_of(&f->run.engine);

    clock->settle(clock->network);
}

static bool owns(struct fixture *f, const struct orr_event *event)
{
    return orr_clock_of(&f->run.engine)->owns(event);
}

static void note(struct fixture *f, char letter)
{
    g_string_append_printf(f->log, "%c%d ", letter,
                           (int)(f->run.engine.now / ORR_US));
}

static void note_end(struct orr_store *store, struct orr_copy *copy)
{
    struct fixture *f = (struct fixture *)store->run;

    note(f, (char)('a' + ((struct carried *)copy - f->carried)));
}

static const struct orr_turns noting = {.data.copy_ended = note_end};

static int setup(void **state)
{
    static const double capacities[LINKS] = {10e9, 10e9};
    static const struct orr_links links = {
        .link_count = LINKS,
        .bytes_per_s = capacities,
    };
    struct fixture *f = g_new0(struct fixture, 1);

    assert_ptr_equal(f->carried[0].behind, &f->carried[0].copy + 1);
    orr_engine_init(&f->run.engine, orr_turns_lockstep->engine);
    f->run.turns = &noting;
    orr_run_lend(&f->run);
    f->run.switches.sharing_weighted = true;
    f->network = orr_network_lazy_new(&f->run, &links);
    f->log = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    f->network->free(f->network);
    orr_clock_clear(&f->run.engine);
    orr_engine_clear(&f->run.engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

/* Copy @i begins to cross links @first to @last. */
static void carry(struct fixture *f, unsigned i, unsigned first, unsigned last,
                  orr_time latency)
{
    static const unsigned links[LINKS] = {0, 1};
    const struct orr_route route = {
        .latency = latency,
        .penalty_s = latency > 0 && f->run.switches.sharing_weighted
                         ? orr_time_to_seconds(latency)
                         : ORR_PENALTY_WITHOUT_LATENCY};
    struct orr_copy *copy = &f->carried[i].copy;

    *copy = (struct orr_copy){.store = &f->run.store, .bytes_left = 4e6};
    copy->flow.links = &links[first];
    copy->flow.count = last - first + 1;
    f->network->carry(f->network, copy, &route);
}

static void step(struct fixture *f)
{
    orr_clock_step(&f->run.engine);
}

static void run(struct fixture *f)
{
    while (orr_clock_step(&f->run.engine))
        ;
}

static void a_copy_alone_has_its_link(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 1, 0);
    run(f);
    assert_string_equal(f->log->str, "a400 ");
}

static void it_begins_after_its_latency(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 0, 7 * ORR_US);
    step(f);
    assert_int_equal(f->run.engine.now, 7 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "a407 ");
}

static void two_share_and_the_later_ends_first(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 0, 0);
    step(f); /* its latency has passed */
    carry(f, 1, 0, 0, 0);
    run(f);
    assert_string_equal(f->log->str, "b800 a800 ");
}

static void copies_on_different_links_do_not(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 0, 0);
    step(f);
    carry(f, 1, 1, 1, 0);
    run(f);
    assert_string_equal(f->log->str, "a400 b400 ");
}

static void shares_are_in_proportion_to_one_over_latency(void **state)
{
    struct fixture *f = *state;

    /* From 3 us on, a has 3.98 MB to go at three quarters of the rate: 530.67
     * us. Then b has 2.67 MB left, which take 267.33 us alone. */
    carry(f, 0, 0, 0, 1 * ORR_US);
    carry(f, 1, 0, 0, 3 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "a533 b801 ");
}

static void unless_all_are_equal(void **state)
{
    static const double capacities[LINKS] = {10e9, 10e9};
    const struct orr_links links = {LINKS, capacities, 0};
    struct fixture *f = *state;

    f->network->free(f->network);
    f->run.switches.sharing_weighted = false;
    f->network = orr_network_lazy_new(&f->run, &links);

    /* 796 us at half the rate; then b has 20 kB left, which take 2 us. */
    carry(f, 0, 0, 0, 1 * ORR_US);
    carry(f, 1, 0, 0, 3 * ORR_US);
    run(f);
    assert_string_equal(f->log->str, "a799 b801 ");
}

static void nothing(void *arg)
{
    (void)arg;
}

static void a_later_copy_slows_the_others_down(void **state)
{
    struct fixture *f = *state;
    struct orr_event later = {.fire = nothing};

    /* At 100 us, a has 3 MB to go, and half the rate from then on. At 700, b
     * has 1 MB to go, alone. */
    carry(f, 0, 0, 0, 0);
    step(f);
    orr_clock_at_seconds(&f->run.engine, 100e-6, &later);
    step(f);
    carry(f, 1, 0, 1, 0);
    run(f);
    assert_string_equal(f->log->str, "a700 b800 ");
}

static void note_event(void *f)
{
    note(f, 'x');
}

static void at_one_date_ends_come_after_all_else(void **state)
{
    struct fixture *f = *state;
    struct orr_event other = {.fire = note_event, .arg = f};

    carry(f, 0, 0, 0, 0);
    step(f);
    settle(f);
    orr_clock_at_seconds(&f->run.engine, 400e-6, &other); /* behind the end */
    run(f);
    assert_string_equal(f->log->str, "x400 a400 ");
}

static void the_ends_of_latencies_and_copies_are_known(void **state)
{
    struct fixture *f = *state;
    struct orr_event other = {.fire = nothing};

    carry(f, 0, 0, 0, 0);
    assert_true(owns(f, &f->carried[0].copy.event));
    step(f);
    assert_true(owns(f, &f->carried[0].copy.event));
    assert_false(owns(f, &other));
}

ORR_TESTS(network_lazy)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_copy_alone_has_its_link),
        T(it_begins_after_its_latency),
        T(two_share_and_the_later_ends_first),
        T(copies_on_different_links_do_not),
        T(shares_are_in_proportion_to_one_over_latency),
        T(unless_all_are_equal),
        T(a_later_copy_slows_the_others_down),
        T(at_one_date_ends_come_after_all_else),
        T(the_ends_of_latencies_and_copies_are_known),
#undef T
    };

    return cmocka_run_group_tests_name("network lazy", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies that share links in a run by rounds. They move 4 MB each over links of
 * 10 GB/s: alone, that takes 400 us. Their ends are written down, not carried
 * out: letter and us.
 */
#include "runtime/lockstep/network_lazy.h"

#include "runtime/data/copy.h"
#include "tests/support/cmocka_all.h"

enum { COPIES = 3, LINKS = 2 };

struct fixture {
    struct orr_engine engine;
    struct orr_network_lazy *traffic;
    struct orr_copy copies[COPIES];
    struct name {
        struct fixture *f;
        char letter;
    } names[COPIES];
    GString *log;
};

static void settle(void *traffic)
{
    orr_network_lazy_settle(traffic);
}

static int setup(void **state)
{
    static const double capacities[LINKS] = {10e9, 10e9};
    struct fixture *f = g_new0(struct fixture, 1);

    orr_engine_begin_rounds(&f->engine);
    f->traffic = orr_network_lazy_new(&f->engine, LINKS, capacities);
    f->engine.settle = settle;
    f->engine.settler = f->traffic;
    f->log = g_string_new(NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    orr_network_lazy_free(f->traffic);
    orr_engine_clear(&f->engine);
    g_string_free(f->log, TRUE);
    g_free(f);
    return 0;
}

static void note(void *arg)
{
    const struct name *name = arg;

    g_string_append_printf(name->f->log, "%c%d ", name->letter,
                           (int)(name->f->engine.now / ORR_US));
}

/* Copy @i crosses links @first to @last; its weight is 1 / @penalty. */
static void carry(struct fixture *f, unsigned i, unsigned first, unsigned last,
                  double penalty)
{
    static const unsigned links[LINKS] = {0, 1};
    struct orr_copy *copy = &f->copies[i];

    *copy = (struct orr_copy){.bytes_left = 4e6, .penalty = penalty};
    copy->event.arg = copy;
    copy->flow.links = &links[first];
    copy->flow.count = last - first + 1;
    orr_network_lazy_carry(f->traffic, copy, 0);
    orr_engine_step_in_turns(&f->engine); /* its latency has passed */
    f->names[i] = (struct name){f, (char)('a' + i)};
    copy->event.fire = note;
    copy->event.arg = &f->names[i];
}

static void run(struct fixture *f)
{
    while (orr_engine_step_in_turns(&f->engine))
        ;
}

static void a_copy_alone_has_its_link(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 1, 1);
    run(f);
    assert_string_equal(f->log->str, "a400 ");
}

static void two_share_and_the_later_ends_first(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 0, 1);
    carry(f, 1, 0, 0, 1);
    run(f);
    assert_string_equal(f->log->str, "b800 a800 ");
}

static void copies_on_different_links_do_not(void **state)
{
    struct fixture *f = *state;

    carry(f, 0, 0, 0, 1);
    carry(f, 1, 1, 1, 1);
    run(f);
    assert_string_equal(f->log->str, "a400 b400 ");
}

static void shares_are_as_weights(void **state)
{
    struct fixture *f = *state;

    /* Three quarters for the first: 4 MB take 533 us, and for the other, which
     * is not told of the end here, 1600. */
    carry(f, 0, 0, 0, 1);
    carry(f, 1, 0, 0, 3);
    run(f);
    assert_string_equal(f->log->str, "a533 b1600 ");
}

static void nothing(void *arg)
{
    (void)arg;
}

static void who_comes_later_slows_the_others_down(void **state)
{
    struct fixture *f = *state;
    struct orr_event later = {.fire = nothing};

    /* 100 us on, a has 3 MB to go, at half the rate. */
    carry(f, 0, 0, 0, 1);
    orr_engine_at_seconds(&f->engine, 100e-6, &later);
    orr_engine_step_in_turns(&f->engine);
    carry(f, 1, 0, 1, 1);
    run(f);
    assert_string_equal(f->log->str, "a700 b900 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(a_copy_alone_has_its_link),
        T(two_share_and_the_later_ends_first),
        T(copies_on_different_links_do_not),
        T(shares_are_as_weights),
        T(who_comes_later_slows_the_others_down),
#undef T
    };

    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which steps are in races, and what is to be tried instead. */
#include "runtime/explore/race.h"

#include <stdint.h>

#include "runtime/engine/engine.h"
#include "tests/support/cmocka_all.h"

enum { A, B, C, EVENTS };

struct fixture {
    struct orr_event events[EVENTS];
    struct orr_races *races;
};

static int set_up(void **state)
{
    struct fixture *f = g_new0(struct fixture, 1);

    f->races = orr_races_new();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    orr_races_free(f->races);
    g_free(f);
    return 0;
}

/* While the events in @due (a bit each) are due, @event makes its step, which
 * reads @reads and writes @writes. */
static void step(struct fixture *f, unsigned due, unsigned event,
                 uint64_t reads, uint64_t writes)
{
    struct orr_event *events[EVENTS];
    struct orr_due options = {.events = events};
    const struct orr_footprint touched = {reads, writes};

    for (unsigned i = 0; i < EVENTS; i++) {
        if (due >> i & 1)
            events[options.count++] = &f->events[i];
    }
    orr_races_add(f->races, &options);
    orr_races_choose(f->races, &f->events[event]);
    orr_races_end_step(f->races, &touched);
}

static void who_reads_what_nobody_writes_commutes(void **state)
{
    const struct orr_footprint reads = {3, 0}, writes = {0, 2}, other = {0, 4};

    (void)state;
    assert_true(orr_footprints_commute(&reads, &reads));
    assert_true(orr_footprints_commute(&reads, &other));
    assert_true(orr_footprints_commute(&writes, &other));
    assert_false(orr_footprints_commute(&reads, &writes));
    assert_false(orr_footprints_commute(&writes, &reads));
    assert_false(orr_footprints_commute(&writes, &writes));
}

static void steps_that_commute_are_in_no_race(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A | 1 << B, A, 0, 1);
    step(f, 1 << B, B, 0, 2);
    assert_int_equal(orr_races_racing(f->races), 0);
}

static void others_are_and_the_later_may_come_first(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A | 1 << B, A, 0, 1);
    step(f, 1 << B, B, 1, 0);
    assert_int_equal(orr_races_racing(f->races), 1 << 0);
    assert_int_equal(orr_races_initials(f->races, 0), 1 << 1);
    assert_ptr_equal(orr_races_event(f->races, 1), &f->events[B]);
}

/* A race by way of a third step belongs to the third step. */
static void only_those_next_to_each_other_are(void **state)
{
    struct fixture *f = *state;

    step(f, 7, A, 0, 1);
    step(f, 1 << B | 1 << C, B, 0, 1);
    step(f, 1 << C, C, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 1 << 1);
}

/* C comes before A only if what it needs of B does, too. */
static void what_the_later_needs_comes_first(void **state)
{
    struct fixture *f = *state;

    step(f, 7, A, 0, 1);
    step(f, 1 << B | 1 << C, B, 0, 2);
    step(f, 1 << C, C, 3, 0);
    assert_int_equal(orr_races_racing(f->races), 1 << 0 | 1 << 1);
    assert_int_equal(orr_races_initials(f->races, 0), 1 << 1);
    assert_int_equal(orr_races_initials(f->races, 1), 1 << 2);
}

static void who_makes_an_event_due_is_in_no_race_with_it(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A, A, 0, 1);
    step(f, 1 << B, B, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 0);
}

/* But others are: B makes C due, which then could come before A. */
static void an_event_may_come_with_who_made_it_due(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A | 1 << B, A, 0, 1);
    step(f, 1 << B, B, 0, 2);
    step(f, 1 << C, C, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 1 << 0);
    assert_int_equal(orr_races_initials(f->races, 0), 1 << 1);
}

/* Two steps in a row are one after the other, and so is what they made. */
static void an_event_is_in_no_race_with_itself(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A | 1 << B, A, 0, 1);
    step(f, 1 << A | 1 << B, A, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 0);
    step(f, 1 << B, B, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 1 << 1);
}

static void what_is_over_is_forgotten(void **state)
{
    struct fixture *f = *state;

    step(f, 1 << A | 1 << B, A, 0, 1);
    assert_int_equal(orr_races_count(f->races), 1);
    orr_races_clear(f->races);
    assert_int_equal(orr_races_count(f->races), 0);
    step(f, 1 << B, B, 0, 1);
    assert_int_equal(orr_races_racing(f->races), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

ORR_TESTS(race)
{
    const struct CMUnitTest tests[] = {
        TEST(who_reads_what_nobody_writes_commutes),
        TEST(steps_that_commute_are_in_no_race),
        TEST(others_are_and_the_later_may_come_first),
        TEST(only_those_next_to_each_other_are),
        TEST(what_the_later_needs_comes_first),
        TEST(who_makes_an_event_due_is_in_no_race_with_it),
        TEST(an_event_may_come_with_who_made_it_due),
        TEST(an_event_is_in_no_race_with_itself),
        TEST(what_is_over_is_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which operations of a policy's callers could come in another order. */
#include "runtime/explore/orders.h"

#include <glib.h>

#include "tests/support/cmocka_all.h"

static const char lock, other;

enum { NONE = -1 };

static int set_up(void **state)
{
    *state = orr_orders_new();
    return 0;
}

static int tear_down(void **state)
{
    orr_orders_free(*state);
    return 0;
}

/* Notes operation @number of @caller. Returns the one with which it races, or
 * NONE. */
static int note(struct orr_orders *orders, guint number, unsigned caller,
                struct orr_order order)
{
    guint with;

    return orr_orders_add(orders, caller, &order, number, &with) ? (int)with
                                                                 : NONE;
}

static struct orr_order acquire(const char *object)
{
    return (struct orr_order){.object = object};
}

static struct orr_order release(const char *object)
{
    return (struct orr_order){.object = object, .releases = true};
}

static struct orr_order attempt(const char *object)
{
    return (struct orr_order){.object = object, .tries = true};
}

/* Not the release, for which the other has to wait anyway. */
static void two_acquisitions_of_a_lock_race(void **state)
{
    struct orr_orders *o = *state;

    assert_int_equal(note(o, 0, 0, acquire(&lock)), NONE);
    assert_int_equal(note(o, 1, 0, release(&lock)), NONE);
    assert_int_equal(note(o, 2, 1, acquire(&lock)), 0);
    assert_int_equal(note(o, 3, 1, release(&lock)), NONE);
    assert_int_equal(note(o, 4, ORR_NO_WORKER, acquire(&lock)), 2);
}

static void an_attempt_races_with_the_release(void **state)
{
    struct orr_orders *o = *state;

    note(o, 0, 0, acquire(&lock));
    note(o, 1, 0, release(&lock));
    assert_int_equal(note(o, 2, 1, attempt(&lock)), 1);
}

static void operations_on_two_objects_do_not_race(void **state)
{
    struct orr_orders *o = *state;

    assert_int_equal(note(o, 0, 0, acquire(&lock)), NONE);
    assert_int_equal(note(o, 1, 1, acquire(&other)), NONE);
    assert_int_equal(note(o, 2, 0, acquire(&lock)), NONE); /* one caller */
}

/* 0 before 1 on the object in between, so its first operation comes before the
 * last one of 1, too. */
static void what_a_chain_orders_does_not_race(void **state)
{
    struct orr_orders *o = *state;

    note(o, 0, 0, acquire(&other));
    note(o, 1, 0, acquire(&lock));
    assert_int_equal(note(o, 2, 1, acquire(&lock)), 1);
    assert_int_equal(note(o, 3, 1, acquire(&other)), NONE);
    assert_int_equal(note(o, 4, 2, acquire(&other)), 3);
}

/* 0 has waited for 1, which was to come first; another order with 1 has been
 * tried, unlike that with 2. */
static void what_was_waited_for_does_not_race(void **state)
{
    struct orr_orders *o = *state;

    orr_orders_sleep(o, 0, &lock);
    assert_int_equal(note(o, 0, 1, acquire(&other)), NONE);
    assert_int_equal(note(o, 1, 1, acquire(&lock)), NONE);
    assert_int_equal(note(o, 2, 0, acquire(&lock)), NONE);
    assert_int_equal(note(o, 3, 2, acquire(&lock)), 2);
    orr_orders_sleep(o, ORR_NO_WORKER, &lock);
    assert_int_equal(note(o, 4, 3, acquire(&lock)), 3);
    assert_int_equal(note(o, 5, ORR_NO_WORKER, acquire(&lock)), NONE);
}

static void the_next_run_begins_anew(void **state)
{
    struct orr_orders *o = *state;

    note(o, 0, 0, acquire(&lock));
    orr_orders_clear(o);
    assert_int_equal(note(o, 0, 1, acquire(&lock)), NONE);
}

ORR_TESTS(orders)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(two_acquisitions_of_a_lock_race),
        TEST(an_attempt_races_with_the_release),
        TEST(operations_on_two_objects_do_not_race),
        TEST(what_a_chain_orders_does_not_race),
        TEST(what_was_waited_for_does_not_race),
        TEST(the_next_run_begins_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

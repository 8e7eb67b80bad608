/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <limits.h>

#include "sched/queue/priority_sums.h"
#include "tests/support/cmocka_all.h"

static void an_empty_ladder_sums_to_nothing(void **state)
{
    struct orr_priority_sums sums = {.root = NULL};

    (void)state;
    assert_int_equal(orr_priority_sums_from(&sums, 0), 0);
    assert_int_equal(orr_priority_sums_from(&sums, INT_MIN), 0);
    assert_int_equal(sums.total, 0);
}

static void sums_start_at_a_priority(void **state)
{
    struct orr_priority_sums sums = {.root = NULL};

    (void)state;
    orr_priority_sums_add(&sums, 3, 30);
    orr_priority_sums_add(&sums, 5, 500);
    orr_priority_sums_add(&sums, 5, 1);
    assert_int_equal(orr_priority_sums_from(&sums, 6), 0);
    assert_int_equal(orr_priority_sums_from(&sums, 5), 501);
    assert_int_equal(orr_priority_sums_from(&sums, 4), 501);
    assert_int_equal(orr_priority_sums_from(&sums, 3), 531);
    assert_int_equal(orr_priority_sums_from(&sums, INT_MIN), 531);
    assert_int_equal(sums.total, 531);
    orr_priority_sums_clear(&sums);
}

static void what_is_taken_away_is_gone(void **state)
{
    struct orr_priority_sums sums = {.root = NULL};

    (void)state;
    orr_priority_sums_add(&sums, 3, 30);
    orr_priority_sums_add(&sums, 4, 40);
    orr_priority_sums_add(&sums, 3, -30);
    assert_int_equal(orr_priority_sums_from(&sums, 3), 40);
    assert_int_equal(sums.total, 40);
    orr_priority_sums_clear(&sums);
    assert_int_equal(orr_priority_sums_from(&sums, 3), 0);
}

static void the_whole_range_of_priorities_is_in_order(void **state)
{
    const int priorities[] = {INT_MIN, INT_MIN + 1, -17,    -16, -1,  0,
                              1,       15,          16,     17,  255, 256,
                              65536,   INT_MAX - 1, INT_MAX};
    const unsigned count = G_N_ELEMENTS(priorities);
    struct orr_priority_sums sums = {.root = NULL};

    (void)state;
    for (unsigned i = 0; i < count; i++)
        orr_priority_sums_add(&sums, priorities[i], (orr_time)1 << i);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(orr_priority_sums_from(&sums, priorities[i]),
                         ((orr_time)1 << count) - ((orr_time)1 << i));
    orr_priority_sums_clear(&sums);
}

/* The tree grows around the first priority, 100. */
static void priorities_far_off_are_above_or_below(void **state)
{
    struct orr_priority_sums sums = {.root = NULL};

    (void)state;
    orr_priority_sums_add(&sums, 100, 1);
    assert_int_equal(orr_priority_sums_from(&sums, 5000), 0);
    assert_int_equal(orr_priority_sums_from(&sums, INT_MAX), 0);
    assert_int_equal(orr_priority_sums_from(&sums, 3), 1);
    assert_int_equal(orr_priority_sums_from(&sums, -1), 1);
    orr_priority_sums_add(&sums, 5000, 10);
    assert_int_equal(orr_priority_sums_from(&sums, 101), 10);
    assert_int_equal(orr_priority_sums_from(&sums, 5001), 0);
    orr_priority_sums_add(&sums, -1, 100);
    assert_int_equal(orr_priority_sums_from(&sums, INT_MIN), 111);
    assert_int_equal(orr_priority_sums_from(&sums, 0), 11);
    assert_int_equal(orr_priority_sums_from(&sums, 65536), 0);
    orr_priority_sums_clear(&sums);
}

static void sums_are_those_of_a_plain_table(void **state)
{
    enum { RANGE = 600 };
    struct orr_priority_sums sums = {.root = NULL};
    g_autoptr(GRand) rand = g_rand_new_with_seed(9);
    orr_time lengths[RANGE] = {0};

    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        int p = g_rand_int_range(rand, 0, RANGE);
        orr_time sum = 0;

        orr_priority_sums_add(&sums, p - RANGE / 2, i - lengths[p]);
        lengths[p] = i;
        p = g_rand_int_range(rand, 0, RANGE);
        for (int q = p; q < RANGE; q++)
            sum += lengths[q];
        assert_int_equal(orr_priority_sums_from(&sums, p - RANGE / 2), sum);
    }
    orr_priority_sums_clear(&sums);
}

ORR_TESTS(priority_sums)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_ladder_sums_to_nothing),
        cmocka_unit_test(sums_start_at_a_priority),
        cmocka_unit_test(what_is_taken_away_is_gone),
        cmocka_unit_test(the_whole_range_of_priorities_is_in_order),
        cmocka_unit_test(priorities_far_off_are_above_or_below),
        cmocka_unit_test(sums_are_those_of_a_plain_table),
    };

    return cmocka_run_group_tests_name("sums", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_bitmap.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

static void elements_are_counted_once(void **state)
{
    struct starpu_bitmap *bitmap = starpu_bitmap_create();

    (void)state;
    starpu_bitmap_set(bitmap, 3);
    starpu_bitmap_set(bitmap, 3);
    starpu_bitmap_set(bitmap, 70);
    starpu_bitmap_unset(bitmap, 5);
    assert_int_equal(starpu_bitmap_cardinal(bitmap), 2);
    starpu_bitmap_unset(bitmap, 3);
    assert_int_equal(starpu_bitmap_cardinal(bitmap), 1);
    assert_int_equal(starpu_bitmap_get(bitmap, 3), 0);
    assert_int_equal(starpu_bitmap_get(bitmap, 70), 1);
    starpu_bitmap_unset_all(bitmap);
    assert_int_equal(starpu_bitmap_cardinal(bitmap), 0);
    starpu_bitmap_destroy(bitmap);
}

static void elements_come_in_rising_order(void **state)
{
    struct starpu_bitmap bitmap;

    (void)state;
    starpu_bitmap_init(&bitmap);
    assert_int_equal(starpu_bitmap_first(&bitmap), -1);
    assert_int_equal(starpu_bitmap_last(&bitmap), -1);
    starpu_bitmap_set(&bitmap, 0);
    starpu_bitmap_set(&bitmap, 63);
    starpu_bitmap_set(&bitmap, 64);
    starpu_bitmap_set(&bitmap, STARPU_NMAXWORKERS - 1);
    assert_int_equal(starpu_bitmap_first(&bitmap), 0);
    assert_int_equal(starpu_bitmap_next(&bitmap, 0), 63);
    assert_int_equal(starpu_bitmap_next(&bitmap, 63), 64);
    assert_int_equal(starpu_bitmap_next(&bitmap, 64), STARPU_NMAXWORKERS - 1);
    assert_int_equal(starpu_bitmap_next(&bitmap, STARPU_NMAXWORKERS - 1), -1);
    assert_int_equal(starpu_bitmap_has_next(&bitmap, 64), 1);
    assert_int_equal(starpu_bitmap_last(&bitmap), STARPU_NMAXWORKERS - 1);
}

static void sets_are_joined_and_cut(void **state)
{
    struct starpu_bitmap left, right, both;

    (void)state;
    starpu_bitmap_init(&left);
    starpu_bitmap_init(&right);
    starpu_bitmap_init(&both);
    starpu_bitmap_set(&left, 1);
    starpu_bitmap_set(&left, 100);
    starpu_bitmap_set(&right, 2);
    starpu_bitmap_set(&right, 100);
    starpu_bitmap_unset_and(&both, &left, &right);
    assert_int_equal(starpu_bitmap_cardinal(&both), 1);
    assert_int_equal(starpu_bitmap_first(&both), 100);
    assert_int_equal(starpu_bitmap_and_get(&left, &right, 100), 1);
    assert_int_equal(starpu_bitmap_and_get(&left, &right, 1), 0);
    starpu_bitmap_or(&left, &right);
    assert_int_equal(starpu_bitmap_cardinal(&left), 3);
}

static void set_no_worker(void)
{
    struct starpu_bitmap bitmap;

    starpu_bitmap_init(&bitmap);
    starpu_bitmap_set(&bitmap, -1);
}

static void a_number_of_no_worker_ends_the_program(void **state)
{
    g_autofree char *message = orr_ending_message(set_no_worker);

    (void)state;
    assert_string_equal(message,
                        "starpu_bitmap_set(): no worker has number -1");
}

ORR_TESTS(bitmap)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_counted_once),
        cmocka_unit_test(elements_come_in_rising_order),
        cmocka_unit_test(sets_are_joined_and_cut),
        cmocka_unit_test(a_number_of_no_worker_ends_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

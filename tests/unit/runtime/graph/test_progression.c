/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runtime/graph/progression.h"

#include "tests/support/cmocka_all.h"

static void note(struct orr_progression *progression, uint64_t first,
                 uint64_t second, uint64_t third)
{
    orr_progression_add(progression, first);
    orr_progression_add(progression, second);
    orr_progression_add(progression, third);
}

static void equal_steps_go_on(void **state)
{
    struct orr_progression progression = {0};

    (void)state;
    note(&progression, 3, 5, 7);
    assert_int_equal(orr_progression_expect(&progression, 1), 9);
    assert_int_equal(orr_progression_expect(&progression, 2), 11);
    assert_true(orr_progression_add(&progression, 9));
    assert_false(orr_progression_add(&progression, 12));
}

static void steps_may_grow(void **state)
{
    struct orr_progression progression = {0};

    (void)state;
    note(&progression, 0, 1, 3); /* rows of a triangle begin with these */
    assert_int_equal(orr_progression_expect(&progression, 1), 6);
    assert_int_equal(orr_progression_expect(&progression, 2), 10);
    assert_int_equal(orr_progression_expect(&progression, 3), 15);
    assert_true(orr_progression_add(&progression, 6));
}

static void numbers_may_fall(void **state)
{
    struct orr_progression progression = {0};

    (void)state;
    note(&progression, 10, 7, 4);
    assert_int_equal(orr_progression_expect(&progression, 1), 1);
    assert_true(orr_progression_add(&progression, 1));
}

static void the_same_number_stays(void **state)
{
    struct orr_progression progression = {0};

    (void)state;
    assert_true(orr_progression_add(&progression, 0));
    note(&progression, 4, 4, 4);
    assert_int_equal(orr_progression_expect(&progression, 2), 4);
}

ORR_TESTS(progression)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps_go_on),
        cmocka_unit_test(steps_may_grow),
        cmocka_unit_test(numbers_may_fall),
        cmocka_unit_test(the_same_number_stays),
    };

    return cmocka_run_group_tests_name("progression", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Vector clocks, computed by hand. */
#include "runtime/races/clocks.h"
#include "tests/support/cmocka_all.h"

static const char lock, other;

/* In brackets, what a thread knows of threads 0, 1, 2. */
static void what_happened_before_is_known_along_a_chain(void **state)
{
    struct orr_clocks *clocks = orr_clocks_new(3);

    (void)state;
    /* [1 0 0] [0 1 0] [0 0 1] */
    for (unsigned t = 0; t < 3; t++)
        assert_int_equal(orr_clocks_now(clocks, t), 1);
    assert_false(orr_clocks_knows(clocks, 0, 1, 1));

    orr_clocks_release(clocks, 1, &lock); /* [0 2 0], lock [0 1 0] */
    assert_int_equal(orr_clocks_now(clocks, 1), 2);
    assert_false(orr_clocks_knows(clocks, 0, 1, 1));
    orr_clocks_acquire(clocks, 0, &lock); /* [1 1 0] */
    assert_true(orr_clocks_knows(clocks, 0, 1, 1));
    assert_false(orr_clocks_knows(clocks, 0, 1, 2));

    orr_clocks_release(clocks, 0, &other); /* [2 1 0], other [1 1 0] */
    orr_clocks_acquire(clocks, 2, &other); /* [1 1 1] */
    assert_true(orr_clocks_knows(clocks, 2, 0, 1));
    assert_true(orr_clocks_knows(clocks, 2, 1, 1));
    assert_false(orr_clocks_knows(clocks, 2, 0, 2));
    assert_false(orr_clocks_knows(clocks, 1, 0, 1)); /* not the other way */
    orr_clocks_free(clocks);
}

/* A lock knows all that released it, not only the last one. */
static void an_object_gathers_what_is_released(void **state)
{
    struct orr_clocks *clocks = orr_clocks_new(3);

    (void)state;
    orr_clocks_release(clocks, 0, &lock); /* lock [1 0 0] */
    orr_clocks_release(clocks, 1, &lock); /* lock [1 1 0] */
    orr_clocks_acquire(clocks, 2, &lock);
    assert_true(orr_clocks_knows(clocks, 2, 0, 1));
    assert_true(orr_clocks_knows(clocks, 2, 1, 1));
    orr_clocks_free(clocks);
}

static void a_forgotten_object_teaches_nothing(void **state)
{
    struct orr_clocks *clocks = orr_clocks_new(2);

    (void)state;
    orr_clocks_release(clocks, 0, &lock);
    orr_clocks_discard(clocks, &lock);
    orr_clocks_acquire(clocks, 1, &lock);
    assert_false(orr_clocks_knows(clocks, 1, 0, 1));
    orr_clocks_acquire(clocks, 1, &other); /* never released */
    assert_false(orr_clocks_knows(clocks, 1, 0, 1));
    orr_clocks_free(clocks);
}

ORR_TESTS(clocks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_happened_before_is_known_along_a_chain),
        cmocka_unit_test(an_object_gathers_what_is_released),
        cmocka_unit_test(a_forgotten_object_teaches_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

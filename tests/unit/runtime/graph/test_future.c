/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The next uses of data in a second run, as recorded in a first one. */
#include "runtime/graph/future.h"
#include "runtime/orrery.h"
#include "tests/support/cmocka_all.h"

enum { GPU0 = 1, GPU1 = 2, A = 0, B = 1, C = 2 };

static struct orr_future *future;

static int setup(void **state)
{
    (void)state;
    future = orr_future_new();
    orr_future_begin(future, true);
    /* Task 3 starts first, then 1, 0, 2. */
    orr_future_start(future, 3);
    orr_future_use(future, GPU0, A);
    orr_future_start(future, 1);
    orr_future_use(future, GPU1, A);
    orr_future_use(future, GPU1, B);
    orr_future_start(future, 0);
    orr_future_use(future, GPU0, B);
    orr_future_start(future, 2);
    orr_future_use(future, GPU0, A);
    orr_future_begin(future, false);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    orr_future_free(future);
    return 0;
}

static void nothing_is_known_before_a_run(void **state)
{
    struct orr_future *empty = orr_future_new();

    (void)state;
    assert_false(orr_future_is_known(empty));
    assert_true(orr_future_is_known(future));
    orr_future_free(empty);
}

static void a_use_has_the_rank_of_its_kernel(void **state)
{
    (void)state;
    assert_int_equal(orr_future_next_use(future, GPU0, A), 0);
    assert_int_equal(orr_future_next_use(future, GPU0, B), 2);
    assert_int_equal(orr_future_next_use(future, GPU1, A), 1);
    assert_true(orr_future_next_use(future, GPU0, C) == UINT64_MAX);
}

static void a_kernel_that_has_started_does_not_count(void **state)
{
    (void)state;
    orr_future_start(future, 3);
    assert_int_equal(orr_future_next_use(future, GPU0, A), 3);
    orr_future_start(future, 2);
    assert_true(orr_future_next_use(future, GPU0, A) == UINT64_MAX);
}

/* Task 1 runs on another GPU than before, or at another date. */
static void what_runs_elsewhere_has_started_too(void **state)
{
    (void)state;
    orr_future_start(future, 1);
    orr_future_use(future, GPU0, A);
    assert_true(orr_future_next_use(future, GPU1, A) == UINT64_MAX);
    assert_int_equal(orr_future_next_use(future, GPU0, A), 0);
}

static void another_run_begins_anew(void **state)
{
    (void)state;
    orr_future_start(future, 3);
    assert_int_equal(orr_future_next_use(future, GPU0, A), 3);
    orr_future_begin(future, false);
    assert_int_equal(orr_future_next_use(future, GPU0, A), 0);
    orr_future_begin(future, true);
    assert_false(orr_future_is_known(future));
}

ORR_TESTS(future)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
        T(nothing_is_known_before_a_run),
        T(a_use_has_the_rank_of_its_kernel),
        T(a_kernel_that_has_started_does_not_count),
        T(what_runs_elsewhere_has_started_too),
        T(another_run_begins_anew),
#undef T
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

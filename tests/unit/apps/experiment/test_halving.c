/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Successive halving, with costs that are known. */
#include "apps/experiment/halving.h"

#include <math.h>

#include "tests/support/cmocka_all.h"

/* Costs by candidate, plus noise by replica that all have in common, plus noise
 * of their own. */
struct costs {
    const double *costs;
    double common, own;
    unsigned measured; /* values in all */
};

/* A number from -1 to 1 that looks random. */
static double noise(unsigned a, unsigned b)
{
    double x = sin(12.9898 * (a + 1) + 78.233 * (b + 1)) * 43758.5453;

    return 2 * (x - floor(x)) - 1;
}

static bool measure(const unsigned *candidates, unsigned count, unsigned from,
                    unsigned to, double *values, void *data)
{
    struct costs *costs = data;

    for (unsigned i = 0; i < count; i++) {
        unsigned c = candidates[i];

        for (unsigned r = from; r < to; r++) {
            values[c * 64 + r] = costs->costs[c] +
                                 costs->common * noise(999, r) +
                                 costs->own * noise(c, r);
            costs->measured++;
        }
    }
    return true;
}

/* Searches among @count candidates with at most 64 replicas. */
static struct orr_candidate *search(struct costs *costs, unsigned count)
{
    const struct orr_halving halving = {
        .count = count, .most = 64, .measure = measure, .data = costs};

    return orr_halving_run(&halving);
}

/* Without noise, two replicas of each candidate are enough, and the order is
 * the order of the costs. */
static void costs_without_noise_are_sorted(void **state)
{
    static const double known[] = {4, 2, 8, 3};
    struct costs costs = {.costs = known};
    struct orr_candidate *found = search(&costs, 4);

    (void)state;
    assert_int_equal(costs.measured, 8);
    assert_int_equal(found[0].index, 1);
    assert_int_equal(found[0].verdict, ORR_VERDICT_BEST);
    assert_int_equal(found[1].index, 3);
    assert_int_equal(found[1].verdict, ORR_VERDICT_WORSE);
    assert_true(fabs(found[1].versus.difference - 0.5) < 1e-9);
    assert_int_equal(found[3].index, 2);
    g_free(found);
}

/* Two candidates that are equal except for their noise get all replicas. The
 * others are worse after few: halving measures 8 x 2 and 4 x 2 replicas, and
 * candidates that two replicas cannot distinguish from the best get some more.
 */
static void those_that_are_close_get_the_replicas(void **state)
{
    static const double known[] = {20, 10, 22, 23, 10, 24, 25, 26};
    struct costs costs = {.costs = known, .own = 1};
    struct orr_candidate *found = search(&costs, 8);

    (void)state;
    assert_in_range(costs.measured, 8 * 2 + 4 * 2 + 2 * 60, 8 * 8 + 2 * 60);
    assert_int_equal(found[0].replicas, 64);
    assert_int_equal(found[1].replicas, 64);
    assert_int_equal(found[0].index + found[1].index, 1 + 4);
    assert_int_equal(found[1].verdict, ORR_VERDICT_OPEN);
    for (unsigned i = 2; i < 8; i++) {
        assert_int_equal(found[i].verdict, ORR_VERDICT_WORSE);
        assert_true(found[i].replicas <= 8);
    }
    g_free(found);
}

/* The best has two bad replicas, and is dropped in the first round. It comes
 * back, as two replicas do not prove that it is worse. */
static bool measure_late(const unsigned *candidates, unsigned count,
                         unsigned from, unsigned to, double *values, void *data)
{
    (void)data;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned r = from; r < to; r++) {
            double *value = &values[candidates[i] * 64 + r];

            *value = 10 + 0.1 * candidates[i] + 0.2 * noise(candidates[i], r);
            if (candidates[i] == 0)
                *value = r < 2 ? 11 + r : 5 + 0.1 * noise(0, r);
        }
    }
    return true;
}

static void one_that_was_dropped_may_come_back(void **state)
{
    const struct orr_halving halving = {
        .count = 4, .most = 64, .measure = measure_late};
    struct orr_candidate *found = orr_halving_run(&halving);

    (void)state;
    assert_int_equal(found[0].index, 0);
    assert_true(found[0].mean < 6);
    g_free(found);
}

/* Noise fifty times the difference hides it if each has its own, but not if
 * both have it in common. */
static void common_random_numbers_cancel_out(void **state)
{
    static const double known[] = {100, 100.2};
    struct costs common = {.costs = known, .common = 10, .own = 0.02};
    struct costs own = {.costs = known, .own = 10};
    struct orr_candidate *found = search(&common, 2);

    (void)state;
    assert_int_equal(found[0].index, 0);
    assert_int_equal(found[1].verdict, ORR_VERDICT_WORSE);
    assert_true(found[1].versus.low > 0 && found[1].versus.high < 0.05);
    assert_true(common.measured < 128);
    g_free(found);
    found = search(&own, 2);
    assert_int_equal(found[1].verdict, ORR_VERDICT_OPEN);
    assert_int_equal(own.measured, 128);
    g_free(found);
}

/* They are last, in their order, and get no more replicas. */
static void those_that_fail_are_last(void **state)
{
    static const double known[] = {NAN, 7, INFINITY, 6};
    struct costs costs = {.costs = known, .own = 0.1};
    struct orr_candidate *found = search(&costs, 4);

    (void)state;
    assert_int_equal(found[0].index, 3);
    assert_int_equal(found[1].index, 1);
    assert_int_equal(found[2].index, 0);
    assert_int_equal(found[2].verdict, ORR_VERDICT_FAILED);
    assert_int_equal(found[2].replicas, 0);
    assert_int_equal(found[3].index, 2);
    assert_int_equal(found[3].verdict, ORR_VERDICT_FAILED);
    g_free(found);
}

static bool stop(const unsigned *candidates, unsigned count, unsigned from,
                 unsigned to, double *values, void *data)
{
    (void)candidates;
    (void)count;
    (void)from;
    (void)to;
    (void)values;
    (void)data;
    return false;
}

static void one_that_is_stopped_finds_nothing(void **state)
{
    const struct orr_halving halving = {.count = 3, .most = 1, .measure = stop};

    (void)state;
    assert_null(orr_halving_run(&halving));
}

ORR_TESTS(halving)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_without_noise_are_sorted),
        cmocka_unit_test(those_that_are_close_get_the_replicas),
        cmocka_unit_test(one_that_was_dropped_may_come_back),
        cmocka_unit_test(common_random_numbers_cancel_out),
        cmocka_unit_test(those_that_fail_are_last),
        cmocka_unit_test(one_that_is_stopped_finds_nothing),
    };

    return cmocka_run_group_tests_name("halving", tests, NULL, NULL);
}

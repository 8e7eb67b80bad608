/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Summaries and intervals. */
#include "models/base/statistics.h"

#include <math.h>

#include "models/rng.h"
#include "tests/support/cmocka_all.h"

static void assert_near(double value, double expected, double precision)
{
    if (!(fabs(value - expected) <= precision))
        fail_msg("%.9g is not %.9g", value, expected);
}

static void a_summary_is_that_of_r(void **state)
{
    const double values[] = {7, 1, 10, 2, 4};
    struct orr_summary summary;

    (void)state;
    orr_summary_compute(&summary, values, 5);
    assert_near(summary.mean, 4.8, 1e-12);
    assert_near(summary.median, 4, 1e-12);
    assert_near(summary.p05, 1.2, 1e-12); /* 1 + 0.05 x 4 x (2 - 1) */
    assert_near(summary.p95, 9.4, 1e-12); /* 7 + 0.8 x (10 - 7) */
    assert_near(values[0], 7, 0);         /* nothing is sorted in place */
    orr_summary_compute(&summary, values, 2);
    assert_near(summary.median, 4, 1e-12);
    orr_summary_compute(&summary, values, 1);
    assert_near(summary.mean, 7, 0);
    assert_near(summary.p05, 7, 0);
    assert_near(summary.p95, 7, 0);
}

/* From any table of Student's law. */
static void quantiles_are_those_of_tables(void **state)
{
    static const struct {
        size_t freedom;
        double quantile;
    } rows[] = {
        {1, 12.7062},  {2, 4.30265},   {3, 3.18245},      {4, 2.77645},
        {5, 2.57058},  {9, 2.26216},   {10, 2.22814},     {30, 2.04227},
        {99, 1.98422}, {199, 1.97196}, {100000, 1.95998},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        assert_near(orr_student_quantile(rows[i].freedom), rows[i].quantile,
                    1e-5 * rows[i].quantile);
}

/*
 * Differences -1, 0, 1 around a mean of 10 each: s = 1, so the half width is
 * 4.30265 / sqrt(3) / 10.
 */
static void an_interval_is_the_one_by_hand(void **state)
{
    const double a[] = {9, 10, 11}, b[] = {10, 10, 10};
    struct orr_contrast contrast;

    (void)state;
    orr_contrast_compute(&contrast, a, b, 3);
    assert_near(contrast.difference, 0, 1e-12);
    assert_near(contrast.high, 4.30265 / sqrt(3) / 10, 1e-6);
    assert_near(contrast.low, -contrast.high, 1e-12);
}

static void what_pairs_share_cancels_out(void **state)
{
    const double a[] = {11, 22, 33, 5.5}, b[] = {10, 20, 30, 5};
    struct orr_contrast contrast;

    (void)state;
    orr_contrast_compute(&contrast, a, b, 4);
    assert_near(contrast.difference, 0.1, 1e-12);
    assert_near(contrast.low, 0.1, 1e-12);
    assert_near(contrast.high, 0.1, 1e-12);
}

static double normal(uint64_t seed, uint64_t counter)
{
    double u = 1 - orr_rng_uniform(seed, 1, counter);
    double v = orr_rng_uniform(seed, 2, counter);

    return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

/* How often, in %, the interval holds the truth: 3 % slower, of @count pairs
 * that share some luck, skewed to the right by @skew. */
static double coverage(unsigned count, double skew)
{
    enum { TRIALS = 4000 };
    double a[50], b[50];
    unsigned hits = 0;

    for (unsigned t = 0; t < TRIALS; t++) {
        struct orr_contrast contrast;

        for (uint64_t i = 0; i < count; i++) {
            double shared = normal(t, 3 * i);

            a[i] = 1.03 * exp(skew * (shared + normal(t, 3 * i + 1)));
            b[i] = exp(skew * (shared + normal(t, 3 * i + 2)));
        }
        orr_contrast_compute(&contrast, a, b, count);
        hits += contrast.low <= 0.03 && 0.03 <= contrast.high;
    }
    return 100.0 * hits / TRIALS;
}

static void intervals_hold_the_truth_19_times_in_20(void **state)
{
    (void)state;
    assert_near(coverage(10, 0.02), 95, 1);
    assert_near(coverage(50, 0.02), 95, 1);
    /* A makespan that varies by 20 % and has a tail is a harsh case. */
    assert_near(coverage(10, 0.2), 95, 1.5);
    assert_near(coverage(50, 0.2), 95, 1.5);
}

ORR_TESTS(statistics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_that_of_r),
        cmocka_unit_test(quantiles_are_those_of_tables),
        cmocka_unit_test(an_interval_is_the_one_by_hand),
        cmocka_unit_test(what_pairs_share_cancels_out),
        cmocka_unit_test(intervals_hold_the_truth_19_times_in_20),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/histogram.h"
#include "models/rng.h"
#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>

#define SEED 7

/* The sum of twelve uniform draws: nearly normal, around 0. */
static double noise(uint64_t i)
{
    double sum = -6;

    for (uint64_t j = 0; j < 12; j++)
        sum += orr_rng_uniform(SEED, j, i);
    return sum;
}

/* A peak at 10 ms, 5 % wide. */
static orr_time *peak(unsigned count)
{
    orr_time *samples = g_new(orr_time, count);

    for (unsigned i = 0; i < count; i++)
        samples[i] = 10 * ORR_MS + (orr_time)(0.5e6 * noise(i));
    return samples;
}

/* The same, but one in a hundred takes ten times as long. */
static orr_time *peak_and_tail(unsigned count)
{
    orr_time *samples = peak(count);

    for (unsigned i = 0; i < count; i += 100)
        samples[i] *= 10;
    return samples;
}

static double mean_of(const orr_time *samples, unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += (double)samples[i];
    return sum / count;
}

static double deviation_of(const orr_time *samples, unsigned count)
{
    double mean = mean_of(samples, count);
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += pow((double)samples[i] - mean, 2);
    return sqrt(sum / count);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * expected))
        fail_msg("%g is not within %g %% of %g", value, 100 * tolerance,
                 expected);
}

static struct orr_histogram *diagonal(orr_time *samples, unsigned count)
{
    return orr_histogram_build(samples, count, orr_histogram_bins(count),
                               ORR_HISTOGRAM_DIAGONAL);
}

static void expect_moments(orr_time *samples, unsigned count)
{
    struct orr_histogram *histogram = diagonal(samples, count);

    assert_int_equal(orr_histogram_samples(histogram), count);
    assert_near((double)orr_histogram_mean(histogram), mean_of(samples, count),
                0.002);
    assert_near((double)orr_histogram_deviation(histogram),
                deviation_of(samples, count), 0.02);
    orr_histogram_free(histogram);
    g_free(samples);
}

static void moments_are_those_of_the_samples(void **state)
{
    (void)state;
    expect_moments(peak(1000), 1000);
    expect_moments(peak(76), 76);
    expect_moments(peak_and_tail(1000), 1000);
    expect_moments(peak_and_tail(100000), 100000);
}

static void quantiles_are_those_of_the_samples(void **state)
{
    enum { COUNT = 10000 };
    /* Closest where samples are dense. */
    const struct {
        double share, tolerance;
    } known[] = {{0.001, 0.1},  {0.05, 0.005}, {0.25, 0.001}, {0.5, 0.001},
                 {0.75, 0.001}, {0.95, 0.005}, {0.985, 0.05}, {0.995, 0.02}};
    orr_time *samples = peak_and_tail(COUNT);
    struct orr_histogram *histogram = diagonal(samples, COUNT);

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        assert_near((double)orr_histogram_quantile(histogram, known[i].share),
                    (double)samples[(unsigned)(known[i].share * COUNT)],
                    known[i].tolerance);
    assert_int_equal(orr_histogram_quantile(histogram, 0), samples[0]);
    assert_int_equal(orr_histogram_quantile(histogram, 1), samples[COUNT - 1]);
    orr_histogram_free(histogram);
    g_free(samples);
}

/* As many bins, but equally wide: nearly all samples are in the first. */
static void equal_widths_lose_the_peak_before_a_tail(void **state)
{
    enum { COUNT = 10000, BINS = 20 };
    orr_time *samples = peak_and_tail(COUNT);
    struct orr_histogram *wide =
        orr_histogram_build(samples, COUNT, BINS, ORR_HISTOGRAM_EQUAL_WIDTH);
    struct orr_histogram *cut =
        orr_histogram_build(samples, COUNT, BINS, ORR_HISTOGRAM_DIAGONAL);
    orr_time median = samples[COUNT / 2];
    orr_time high = samples[9000];

    (void)state;
    assert_true(wide->count <= BINS && cut->count <= BINS);
    assert_near((double)orr_histogram_quantile(cut, 0.5), (double)median,
                0.005);
    assert_near((double)orr_histogram_mean(cut), mean_of(samples, COUNT),
                0.005);
    assert_true(orr_histogram_quantile(wide, 0.5) > median + median / 20);
    assert_true(orr_histogram_quantile(wide, 0.9) > high + high / 5);
    orr_histogram_free(cut);
    orr_histogram_free(wide);
    g_free(samples);
}

static void a_gap_is_in_no_bin(void **state)
{
    orr_time samples[] = {10, 11, 12, 13, 1000, 1001, 1002, 1003};
    struct orr_histogram *histogram = orr_histogram_build(
        samples, G_N_ELEMENTS(samples), 4, ORR_HISTOGRAM_DIAGONAL);

    (void)state;
    for (unsigned i = 0; i <= 100; i++) {
        orr_time drawn = orr_histogram_quantile(histogram, i / 100.0);

        assert_true(drawn <= 13 || drawn >= 1000);
    }
    orr_histogram_free(histogram);
}

static void equal_widths_go_from_line_to_line(void **state)
{
    orr_time samples[] = {100, 110, 190, 200, 350, 500};
    struct orr_histogram *histogram = orr_histogram_build(
        samples, G_N_ELEMENTS(samples), 4, ORR_HISTOGRAM_EQUAL_WIDTH);
    const struct orr_histogram_bin expected[] = {
        {100, 200, 3}, {200, 300, 1}, {300, 400, 1}, {400, 500, 1}};

    (void)state;
    assert_int_equal(histogram->count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(histogram->bins[i].from, expected[i].from);
        assert_int_equal(histogram->bins[i].to, expected[i].to);
        assert_int_equal(histogram->bins[i].samples, expected[i].samples);
    }
    orr_histogram_free(histogram);
}

/*
 * Half of the range is F's: four samples add 75 each, and there is a line every
 * 300. With the middles of the jumps, they lie at 37.5, 162.5, 317.5, 562.5.
 */
static void diagonal_lines_cut_jumps_in_the_middle(void **state)
{
    orr_time samples[] = {100, 150, 230, 400};
    struct orr_histogram *histogram =
        orr_histogram_build(samples, G_N_ELEMENTS(samples), 2, 0.5);

    (void)state;
    assert_int_equal(histogram->count, 2);
    assert_int_equal(histogram->bins[0].from, 100);
    assert_int_equal(histogram->bins[0].to, 150);
    assert_int_equal(histogram->bins[0].samples, 2);
    assert_int_equal(histogram->bins[1].from, 230);
    assert_int_equal(histogram->bins[1].to, 400);
    orr_histogram_free(histogram);
}

/* The whole distribution, so exact: bins of 3 and 1 samples, a gap between. */
static void quantiles_invert_the_distribution(void **state)
{
    const struct orr_histogram_bin bins[] = {{100, 400, 3}, {1000, 1200, 1}};
    struct orr_histogram *histogram = orr_histogram_new(bins, 2);

    (void)state;
    assert_int_equal(orr_histogram_quantile(histogram, 0), 100);
    assert_int_equal(orr_histogram_quantile(histogram, 0.25), 200);
    assert_int_equal(orr_histogram_quantile(histogram, 0.5), 300);
    assert_int_equal(orr_histogram_quantile(histogram, 0.75), 1000);
    assert_int_equal(orr_histogram_quantile(histogram, 0.875), 1100);
    assert_int_equal(orr_histogram_quantile(histogram, 1), 1200);
    /* (3 x 250 + 1100) / 4; the bins' own variances, and between them. */
    assert_int_equal(orr_histogram_mean(histogram), 463);
    assert_int_equal(orr_histogram_deviation(histogram),
                     (orr_time)(sqrt((3 * (212.5 * 212.5 + 7500) +
                                      637.5 * 637.5 + 40000 / 12.0) /
                                     4) +
                                0.5));
    orr_histogram_free(histogram);
}

static void samples_are_counted_between_dates(void **state)
{
    const struct orr_histogram_bin bins[] = {
        {100, 400, 3}, {400, 400, 5}, {1000, 1200, 2}};
    struct orr_histogram *histogram = orr_histogram_new(bins, 3);

    (void)state;
    assert_true(orr_histogram_between(histogram, 0, 2000) >= 10);
    assert_true(fabs(orr_histogram_between(histogram, 200, 400) - 2) < 1e-9);
    assert_true(fabs(orr_histogram_between(histogram, 400, 1100) - 6) < 1e-9);
    assert_true(orr_histogram_between(histogram, 401, 1000) <= 0);
    orr_histogram_free(histogram);
}

static void draws_have_the_moments_of_the_histogram(void **state)
{
    enum { COUNT = 1000, DRAWS = 100000 };
    orr_time *samples = peak_and_tail(COUNT);
    struct orr_histogram *histogram = diagonal(samples, COUNT);
    orr_time *drawn = g_new(orr_time, DRAWS);

    (void)state;
    for (unsigned i = 0; i < DRAWS; i++)
        drawn[i] =
            orr_histogram_quantile(histogram, orr_rng_uniform(SEED, 99, i));
    assert_near(mean_of(drawn, DRAWS), (double)orr_histogram_mean(histogram),
                0.01);
    assert_near(deviation_of(drawn, DRAWS),
                (double)orr_histogram_deviation(histogram), 0.03);
    g_free(drawn);
    orr_histogram_free(histogram);
    g_free(samples);
}

static void one_sample_is_drawn_again_and_again(void **state)
{
    orr_time sample = 12345;
    struct orr_histogram *histogram = diagonal(&sample, 1);

    (void)state;
    assert_int_equal(histogram->count, 1);
    assert_int_equal(orr_histogram_quantile(histogram, 0), 12345);
    assert_int_equal(orr_histogram_quantile(histogram, 0.7), 12345);
    assert_int_equal(orr_histogram_mean(histogram), 12345);
    assert_int_equal(orr_histogram_deviation(histogram), 0);
    orr_histogram_free(histogram);
}

static void a_million_equal_samples_are_one_bin(void **state)
{
    enum { COUNT = 1000000 };
    orr_time *samples = g_new(orr_time, COUNT);
    struct orr_histogram *histogram;

    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        samples[i] = 1;
    histogram = diagonal(samples, COUNT);
    assert_int_equal(histogram->count, 1);
    assert_int_equal(orr_histogram_samples(histogram), COUNT);
    assert_int_equal(orr_histogram_quantile(histogram, 0.5), 1);
    orr_histogram_free(histogram);
    g_free(samples);
}

static void bins_grow_with_the_cube_root(void **state)
{
    (void)state;
    assert_int_equal(orr_histogram_bins(1), 2);
    assert_int_equal(orr_histogram_bins(27), 6);
    assert_int_equal(orr_histogram_bins(28), 7);
    assert_int_equal(orr_histogram_bins(1000), 20);
    assert_int_equal(orr_histogram_bins(G_MAXUINT), 100);
}

static void bins_that_make_no_sense_have_a_fault(void **state)
{
    const struct orr_histogram_bin zero[] = {{0, 5, 1}};
    const struct orr_histogram_bin backwards[] = {{1, 2, 1}, {5, 4, 1}};
    const struct orr_histogram_bin overlap[] = {{1, 6, 1}, {5, 7, 1}};
    const struct orr_histogram_bin empty[] = {{1, 6, 0}};
    const struct orr_histogram_bin many[] = {{1, 6, G_MAXINT}, {6, 7, 1}};

    (void)state;
    assert_null(orr_histogram_fault(overlap, 0));
    assert_string_equal(orr_histogram_fault(zero, 0), "begins at 0");
    assert_string_equal(orr_histogram_fault(backwards, 1),
                        "ends before it begins");
    assert_string_equal(orr_histogram_fault(overlap, 1),
                        "begins before the previous bin ends");
    assert_string_equal(orr_histogram_fault(empty, 0), "has no samples");
    assert_string_equal(orr_histogram_fault(many, 1),
                        "raises the number of samples above 2147483647");
}

ORR_TESTS(histogram)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_those_of_the_samples),
        cmocka_unit_test(quantiles_are_those_of_the_samples),
        cmocka_unit_test(equal_widths_lose_the_peak_before_a_tail),
        cmocka_unit_test(a_gap_is_in_no_bin),
        cmocka_unit_test(equal_widths_go_from_line_to_line),
        cmocka_unit_test(diagonal_lines_cut_jumps_in_the_middle),
        cmocka_unit_test(quantiles_invert_the_distribution),
        cmocka_unit_test(samples_are_counted_between_dates),
        cmocka_unit_test(draws_have_the_moments_of_the_histogram),
        cmocka_unit_test(one_sample_is_drawn_again_and_again),
        cmocka_unit_test(a_million_equal_samples_are_one_bin),
        cmocka_unit_test(bins_grow_with_the_cube_root),
        cmocka_unit_test(bins_that_make_no_sense_have_a_fault),
    };

    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}

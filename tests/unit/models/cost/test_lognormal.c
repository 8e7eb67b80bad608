/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/cost/lognormal.h"
#include "models/rng.h"
#include "tests/support/cmocka_all.h"

#include <math.h>

/* Tabulated values of the normal law. */
static void quantiles_of_the_normal_law(void **state)
{
    const struct {
        double p, z;
    } known[] = {
        {1e-12, -7.034483825301132}, {1e-5, -4.2648907939228256},
        {0.01, -2.3263478740408408}, {0.06, -1.554773594596853},
        {0.3, -0.5244005127080407},  {0.5, 0},
        {0.95, 1.6448536269514715},  {0.999999, 4.753424308817089},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        assert_true(fabs(orr_normal_quantile(known[i].p) - known[i].z) <=
                    1e-14 * MAX(1, fabs(known[i].z)));
}

/* mean 1 s, deviation 0.5 s: s^2 = ln 1.25, the median is 1 / sqrt(1.25). */
static void quantiles_of_a_law_are_known(void **state)
{
    struct orr_lognormal law;

    (void)state;
    orr_lognormal_init(&law, ORR_S, ORR_S / 2);
    assert_int_equal(orr_lognormal_quantile(&law, 0.5), 894427191);
    assert_int_equal(orr_lognormal_quantile(&law, 1e-5), 119286873);
    assert_int_equal(orr_lognormal_quantile(&law, 0.95), 1945317838);
}

static void draws_have_the_moments_asked_for(void **state)
{
    enum { DRAWS = 200000 };
    struct orr_lognormal law;
    double sum = 0;
    double squares = 0;
    double cubes = 0;

    (void)state;
    orr_lognormal_init(&law, ORR_MS, ORR_MS / 5);
    for (unsigned i = 0; i < DRAWS; i++) {
        double p = orr_rng_uniform(3, 4, i) + 0x1p-54;
        double x = (double)orr_lognormal_quantile(&law, p) / 1e6 - 1;

        sum += x;
        squares += x * x;
        cubes += x * x * x;
    }
    assert_true(fabs(sum / DRAWS) < 0.002);
    assert_true(fabs(sqrt(squares / DRAWS) - 0.2) < 0.002);
    /* Skewed to the right: (3 + v^2) v for a variation v of 0.2. */
    assert_true(fabs(cubes / DRAWS / 0.008 - 0.608) < 0.05);
}

static void no_deviation_is_always_the_mean(void **state)
{
    struct orr_lognormal law;

    (void)state;
    orr_lognormal_init(&law, 123456789, 0);
    assert_int_equal(orr_lognormal_quantile(&law, 1e-9), 123456789);
    assert_int_equal(orr_lognormal_quantile(&law, 0.999), 123456789);
}

static void absurd_deviations_stay_in_range(void **state)
{
    struct orr_lognormal law;

    (void)state;
    orr_lognormal_init(&law, ORR_S, 86400 * ORR_S);
    assert_in_range(orr_lognormal_quantile(&law, 1 - 0x1p-53), 1,
                    86400 * ORR_S * 1000);
    orr_lognormal_init(&law, 1, 86400 * ORR_S);
    assert_int_equal(orr_lognormal_quantile(&law, 0x1p-54), 1);
}

ORR_TESTS(lognormal)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_of_the_normal_law),
        cmocka_unit_test(quantiles_of_a_law_are_known),
        cmocka_unit_test(draws_have_the_moments_asked_for),
        cmocka_unit_test(no_deviation_is_always_the_mean),
        cmocka_unit_test(absurd_deviations_stay_in_range),
    };

    return cmocka_run_group_tests_name("lognormal", tests, NULL, NULL);
}

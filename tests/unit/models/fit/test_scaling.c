/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Factors of efficiency, and their laws over the number of workers. */
#include "models/fit/scaling.h"

#include <math.h>

#include "tests/support/cmocka_all.h"

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.10g is not %.10g", a, b);
}

/* Two workers compute 6 and 3 ms; 10 ms of the 12 ms remain on an ideal
 * network. */
static void factors_say_where_time_is_lost(void **state)
{
    static const double computing[] = {6, 3};
    struct orr_efficiency efficiency;

    (void)state;
    orr_efficiency_init(&efficiency, computing, 2, 12, 10);
    assert_near(efficiency.load_balance, 0.75, 1e-15);
    assert_near(efficiency.communication, 0.5, 1e-15);
    assert_near(efficiency.serialization, 0.6, 1e-15);
    assert_near(efficiency.transfer, 10.0 / 12, 1e-15);
    assert_near(efficiency.parallel, 9.0 / 24, 1e-15);
}

static void the_product_is_the_parallel_efficiency(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 1000; seed++) {
        double computing[7];
        struct orr_efficiency efficiency;

        for (unsigned i = 0; i < 7; i++)
            computing[i] = seed * 7919 * (i + 1) % 1009;
        orr_efficiency_init(&efficiency, computing, 1 + seed % 7,
                            1100 + seed % 13, 1009 + seed % 91);
        assert_near(efficiency.load_balance * efficiency.serialization *
                        efficiency.transfer,
                    efficiency.parallel, 1e-15);
    }
}

static void where_nothing_is_computed_nothing_is_lost(void **state)
{
    static const double computing[] = {0, 0};
    struct orr_efficiency efficiency;

    (void)state;
    orr_efficiency_init(&efficiency, computing, 2, 0, 0);
    assert_near(efficiency.parallel, 1, 0);
    assert_near(efficiency.load_balance, 1, 0);
}

/* Table 5 of Rosas et al. predicts the factors of AVBP by Amdahl curves with
 * these a and f; their values are found again by points on them. */
static void the_law_of_exact_points_is_found(void **state)
{
    static const struct orr_scaling avbp[] = {
        {ORR_SCALING_AMDAHL, .9516, .9999045},
        {ORR_SCALING_AMDAHL, .9996, .9998444},
        {ORR_SCALING_AMDAHL, .9995, .9999474},
        {ORR_SCALING_PIPELINE, .97, .8},
        {ORR_SCALING_CONSTANT, .93, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof avbp / sizeof *avbp; i++) {
        struct orr_scaling_point points[4];
        struct orr_scaling_choice choice;

        for (unsigned n = 0; n < 4; n++) {
            points[n].count = 8 << 2 * n;
            points[n].value = orr_scaling_at(&avbp[i], points[n].count);
        }
        assert_true(orr_scaling_choose(&choice, points, 4));
        assert_int_equal(choice.scaling.law, avbp[i].law);
        assert_near(choice.scaling.a, avbp[i].a, 1e-7);
        assert_near(choice.scaling.f, avbp[i].f, 1e-7);
        assert_near(choice.errors[choice.scaling.law], 0, 1e-7);
    }
}

/* The factors of a public log at 128, 256 and 512 processes, and their
 * predictions by Amdahl's law at 1024, where .4376, .4120 and .8826 were
 * measured. */
static void amdahl_predicts_a_public_log(void **state)
{
    static const double factors[][4] = {
        {.7596, .6554, .5409, .387},
        {.9378, .8479, .6173, .439},
        {.9588, .9459, .9194, .872},
    };

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct orr_scaling_choice choice;
        struct orr_scaling_point points[3];

        for (unsigned n = 0; n < 3; n++)
            points[n] = (struct orr_scaling_point){128 << n, factors[i][n]};
        assert_true(orr_scaling_choose(&choice, points, 3));
        assert_int_equal(choice.scaling.law, ORR_SCALING_AMDAHL);
        assert_near(orr_scaling_at(&choice.scaling, 1024), factors[i][3],
                    0.0005);
    }
}

/* The constant .95 misses .8 by .15; Amdahl's law through 1 and .9 at 1 and 2
 * gives 1 / (1 + 2/9) = 9/11 at 3. */
static void the_error_is_that_of_the_last_point(void **state)
{
    static const struct orr_scaling_point points[] = {{1, 1}, {2, .9}, {3, .8}};
    struct orr_scaling_choice choice;

    (void)state;
    assert_true(orr_scaling_choose(&choice, points, 3));
    assert_int_equal(choice.scaling.law, ORR_SCALING_AMDAHL);
    assert_near(choice.errors[ORR_SCALING_CONSTANT], .15, 1e-12);
    assert_near(choice.errors[ORR_SCALING_AMDAHL], 9.0 / 11 - .8, 1e-6);
}

/* f is 0: all work is serial; and it is not below. */
static void parameters_keep_to_their_bounds(void **state)
{
    static const struct orr_scaling_point falls[] = {{1, 1}, {2, .3}, {4, .1}};
    static const struct orr_scaling_point rises[] = {{1, .2}, {2, .6}, {4, 3}};
    struct orr_scaling scaling;

    (void)state;
    orr_scaling_fit(&scaling, ORR_SCALING_AMDAHL, falls, 3);
    assert_near(scaling.f, 0, 1e-12);
    orr_scaling_fit(&scaling, ORR_SCALING_AMDAHL, rises, 3);
    assert_near(scaling.f, 1, 1e-12);
    assert_near(scaling.a, 3.8 / 3, 1e-9);
    orr_scaling_fit(&scaling, ORR_SCALING_PIPELINE, rises, 3);
    assert_near(scaling.f, 0, 1e-12);
    orr_scaling_fit(&scaling, ORR_SCALING_PIPELINE, falls, 3);
    assert_near(scaling.f, 1, 1e-12);
}

static void two_points_are_too_few(void **state)
{
    static const struct orr_scaling_point points[] = {{1, 1}, {2, .9}};
    struct orr_scaling_choice choice;

    (void)state;
    assert_false(orr_scaling_choose(&choice, points, 2));
}

static void a_factor_of_zero_stays_zero(void **state)
{
    static const struct orr_scaling_point points[] = {{1, 0}, {2, 0}, {3, 0}};
    struct orr_scaling_choice choice;

    (void)state;
    assert_true(orr_scaling_choose(&choice, points, 3));
    assert_int_equal(choice.scaling.law, ORR_SCALING_CONSTANT);
    assert_near(orr_scaling_at(&choice.scaling, 1e9), 0, 0);
}

ORR_TESTS(scaling)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_say_where_time_is_lost),
        cmocka_unit_test(the_product_is_the_parallel_efficiency),
        cmocka_unit_test(where_nothing_is_computed_nothing_is_lost),
        cmocka_unit_test(the_law_of_exact_points_is_found),
        cmocka_unit_test(amdahl_predicts_a_public_log),
        cmocka_unit_test(the_error_is_that_of_the_last_point),
        cmocka_unit_test(parameters_keep_to_their_bounds),
        cmocka_unit_test(two_points_are_too_few),
        cmocka_unit_test(a_factor_of_zero_stays_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

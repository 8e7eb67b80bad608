/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "models/cost/flops.h"
#include "tests/support/cmocka_all.h"

/* 1 TFlop/s, of which half is reached at 100 and all at 300. */
static struct orr_flops_point points[] = {{100, 0.5}, {300, 1}};

static struct orr_flops flops_of(const char *kernel)
{
    return (struct orr_flops){
        .operations = orr_flops_operations(kernel),
        .peak = 1e12,
        .point_count = G_N_ELEMENTS(points),
        .points = points,
    };
}

static orr_time duration(const char *kernel, unsigned tile)
{
    struct orr_flops flops = flops_of(kernel);

    return orr_flops_duration(&flops, tile);
}

static double efficiency(unsigned tile)
{
    struct orr_flops flops = flops_of("gemm");

    return orr_flops_efficiency(&flops, tile);
}

static void time_is_operations_over_peak_times_efficiency(void **state)
{
    (void)state;
    /* 2 x 300^3 = 54 MFlop at 1 TFlop/s. */
    assert_int_equal(duration("gemm", 300), 54 * ORR_US);
    /* 2 x 100^3 = 2 MFlop at 0.5 TFlop/s. */
    assert_int_equal(duration("gemm", 100), 4 * ORR_US);
}

static void each_kernel_has_its_operations(void **state)
{
    (void)state;
    assert_int_equal(duration("potrf", 300), 9 * ORR_US);
    assert_int_equal(duration("getrf", 300), 18 * ORR_US);
    assert_int_equal(duration("trsm", 300), 27 * ORR_US);
    assert_int_equal(duration("trsm_ll", 300), 27 * ORR_US);
    assert_int_equal(duration("trsm_ru", 300), 27 * ORR_US);
    assert_int_equal(duration("syrk", 300), 27 * ORR_US);
    assert_true(orr_flops_operations("gemm_2d") == 8);
    assert_true(orr_flops_operations("geqrt") == 4.0 / 3);
    assert_true(orr_flops_operations("ttqrt") == 2.0 / 3);
    assert_true(orr_flops_operations("tpmqrt") == 4);
    assert_true(orr_flops_operations("fft") == 0);
}

static void what_is_known_is_listed(void **state)
{
    g_autofree char *known = orr_flops_known();
    g_auto(GStrv) names = g_strsplit(known, ", ", -1);

    (void)state;
    assert_int_equal(g_strv_length(names), 14);
    for (char **name = names; *name; name++)
        assert_true(orr_flops_operations(*name) > 0);
}

static void efficiency_is_linear_between_points(void **state)
{
    (void)state;
    assert_true(efficiency(100) == 0.5);
    assert_true(efficiency(200) == 0.75);
    assert_true(efficiency(250) == 0.875);
    assert_true(efficiency(300) == 1);
}

static void efficiency_is_proportional_below_the_first_point(void **state)
{
    (void)state;
    assert_true(efficiency(50) == 0.25);
    assert_true(efficiency(1) == 0.005);
}

static void efficiency_is_constant_beyond_the_last_point(void **state)
{
    (void)state;
    assert_true(efficiency(301) == 1);
    assert_true(efficiency(1000000) == 1);
}

static void a_kernel_takes_a_nanosecond_at_least(void **state)
{
    struct orr_flops flops = flops_of("gemm");

    (void)state;
    flops.peak = 9e18;
    assert_int_equal(orr_flops_duration(&flops, 1), 1);
}

/* 2 x (10^6)^3 = 2 x 10^18 Flop: 86,400 s at 23.15 TFlop/s. */
static void what_takes_over_a_day_cannot_run(void **state)
{
    struct orr_flops flops = flops_of("gemm");

    (void)state;
    flops.peak = 23.2e12;
    assert_true(orr_flops_duration(&flops, 1000000) < 86400 * ORR_S);
    flops.peak = 23.1e12;
    assert_int_equal(orr_flops_duration(&flops, 1000000), ORR_NEVER);
    flops.peak = 1;
    assert_int_equal(orr_flops_duration(&flops, 1000000), ORR_NEVER);
}

static void models_are_compared_without_their_device(void **state)
{
    struct orr_flops_point other_points[] = {{100, 0.5}, {300, 0.9}};
    struct orr_flops a = flops_of("gemm");
    struct orr_flops b = flops_of("gemm");

    (void)state;
    b.device = 3;
    assert_true(orr_flops_equal(&a, &b));
    b.points = other_points;
    assert_false(orr_flops_equal(&a, &b));
    b = a;
    b.point_count = 1;
    assert_false(orr_flops_equal(&a, &b));
    b = a;
    b.peak = 2e12;
    assert_false(orr_flops_equal(&a, &b));
    b = flops_of("syrk");
    assert_false(orr_flops_equal(&a, &b));
}

ORR_TESTS(flops)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(time_is_operations_over_peak_times_efficiency),
        T(each_kernel_has_its_operations),
        T(what_is_known_is_listed),
        T(efficiency_is_linear_between_points),
        T(efficiency_is_proportional_below_the_first_point),
        T(efficiency_is_constant_beyond_the_last_point),
        T(a_kernel_takes_a_nanosecond_at_least),
        T(what_takes_over_a_day_cannot_run),
        T(models_are_compared_without_their_device),
#undef T
    };

    return cmocka_run_group_tests_name("flops", tests, NULL, NULL);
}

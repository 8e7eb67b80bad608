/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Factors of efficiency over numbers of GPUs. */
#include "apps/experiment/scale.h"

#include <math.h>

#include "apps/output/members.h"
#include "tests/support/cmocka_all.h"

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.10g is not %.10g", a, b);
}

/* A run of 200 ns in which each of @gpus workers computes 100 ns, and one of
 * them @more; on an ideal network it takes 150 ns. */
static void add(struct orr_scale *scale, unsigned gpus, double more)
{
    double busy_ns[16];

    for (unsigned i = 0; i < gpus; i++)
        busy_ns[i] = 100;
    busy_ns[0] += more;
    orr_scale_add(scale, gpus, busy_ns, gpus, 200, 150);
}

static void each_run_has_its_factors(void **state)
{
    const struct orr_scale_row *row;
    struct orr_scale scale;

    (void)state;
    orr_scale_init(&scale);
    add(&scale, 1, 0);
    add(&scale, 2, 20);
    row = orr_scale_row(scale.runs, 1);
    assert_near(row->factors[ORR_SCALE_LOAD_BALANCE], 220. / 240, 1e-12);
    assert_near(row->factors[ORR_SCALE_SERIALIZATION], .8, 1e-12);
    assert_near(row->factors[ORR_SCALE_TRANSFER], .75, 1e-12);
    assert_near(row->factors[ORR_SCALE_COMPUTATION], 100. / 220, 1e-12);
    assert_near(row->parallel, 220. / 400, 1e-12);
    orr_scale_clear(&scale);
}

/* 1, 2 and 4 GPUs: load balance 1, transfer 3/4, serialization 2/3; all work is
 * done again by each GPU, so computation is 1/P: Amdahl's law with f = 0. */
static void predictions_follow_the_laws(void **state)
{
    const struct orr_scale_row *row;
    struct orr_scale scale;

    (void)state;
    orr_scale_init(&scale);
    add(&scale, 1, 0);
    add(&scale, 2, 0);
    add(&scale, 4, 0);
    orr_scale_fit(&scale, 20);
    assert_true(scale.fitted);
    assert_int_equal(scale.predictions->len, 3); /* 8, 16, 20 */
    assert_near(orr_scale_row(scale.predictions, 1)->count, 16, 0);
    row = orr_scale_row(scale.predictions, 2);
    assert_near(row->count, 20, 0);
    assert_int_equal(row->workers, 0);
    assert_near(row->parallel, .5, 1e-9);
    assert_near(row->factors[ORR_SCALE_COMPUTATION], .05, 1e-9);
    assert_int_equal(scale.fits[ORR_SCALE_COMPUTATION].scaling.law,
                     ORR_SCALING_AMDAHL);
    orr_scale_clear(&scale);
}

/* Load balance 1/2, 3/4, 1 would be extrapolated above 1. */
static void no_factor_is_predicted_above_one(void **state)
{
    struct orr_scale scale;
    const double busy_ns[] = {100, 0, 100, 50, 100, 100};

    (void)state;
    orr_scale_init(&scale);
    for (unsigned i = 0; i < 3; i++)
        orr_scale_add(&scale, 1 << i, busy_ns + 2 * (size_t)i, 2, 100, 100);
    orr_scale_fit(&scale, 64);
    assert_near(orr_scale_row(scale.predictions, 3)->parallel, 1, 0);
    orr_scale_clear(&scale);
}

static void two_runs_have_factors_but_no_laws(void **state)
{
    JsonObject *facts = json_object_new();
    struct orr_scale scale;
    JsonObject *run;

    (void)state;
    orr_scale_init(&scale);
    add(&scale, 2, 0);
    add(&scale, 4, 0);
    orr_scale_fit(&scale, 8);
    assert_false(scale.fitted);
    orr_scale_add_facts(&scale, "gpus", facts);
    assert_int_equal(json_array_get_length(orr_array_of(facts, "fits")), 0);
    assert_int_equal(json_array_get_length(orr_array_of(facts, "predictions")),
                     0);
    run = orr_object_at(orr_array_of(facts, "runs"), 1);
    assert_int_equal(orr_int_of(run, "gpus"), 4);
    assert_int_equal(orr_int_of(run, "cpus"), 0);
    assert_near(orr_double_of(run, "load_balance"), 1, 0);
    json_object_unref(facts);
    orr_scale_clear(&scale);
}

ORR_TESTS(scale)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_has_its_factors),
        cmocka_unit_test(predictions_follow_the_laws),
        cmocka_unit_test(no_factor_is_predicted_above_one),
        cmocka_unit_test(two_runs_have_factors_but_no_laws),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

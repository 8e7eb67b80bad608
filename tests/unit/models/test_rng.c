/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/rng.h"
#include "tests/support/cmocka_all.h"

/*
 * From kat_vectors of the Random123 distribution, "philox4x32 10": counter
 * words 0 and 1, 2 and 3, key words 0 and 1, and output words 0 and 1.
 */
static void known_answers_of_philox4x32_10(void **state)
{
    (void)state;
    assert_true(orr_rng_bits(0, 0, 0) == UINT64_C(0xe169c58d6627e8d5));
    assert_true(orr_rng_bits(UINT64_MAX, UINT64_MAX, UINT64_MAX) ==
                UINT64_C(0x41c83b0e408f276d));
    assert_true(orr_rng_bits(UINT64_C(0x299f31d0a4093822),
                             UINT64_C(0x0370734413198a2e),
                             UINT64_C(0x85a308d3243f6a88)) ==
                UINT64_C(0x94fdccebd16cfe09));
}

static void each_argument_matters(void **state)
{
    (void)state;
    assert_true(orr_rng_bits(1, 2, 3) == orr_rng_bits(1, 2, 3));
    assert_true(orr_rng_bits(1, 2, 3) != orr_rng_bits(0, 2, 3));
    assert_true(orr_rng_bits(1, 2, 3) != orr_rng_bits(1, 0, 3));
    assert_true(orr_rng_bits(1, 2, 3) != orr_rng_bits(1, 2, 0));
}

static void uniform_is_made_of_the_53_high_bits(void **state)
{
    (void)state;
    assert_true(orr_rng_uniform(0, 0, 0) ==
                (double)(UINT64_C(0xe169c58d6627e8d5) >> 11) /
                    9007199254740992.0);
}

static void uniform_spreads_over_zero_to_one(void **state)
{
    enum { DRAWS = 10000, BINS = 10 };
    unsigned bins[BINS] = {0};

    (void)state;
    for (unsigned i = 0; i < DRAWS; i++) {
        double draw = orr_rng_uniform(1, 2, i);

        assert_true(draw >= 0 && draw < 1);
        bins[(unsigned)(draw * BINS)]++;
    }
    /* 1000 each, give or take five standard deviations of 30. */
    for (unsigned b = 0; b < BINS; b++)
        assert_in_range(bins[b], 850, 1150);
}

ORR_TESTS(rng)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_of_philox4x32_10),
        cmocka_unit_test(each_argument_matters),
        cmocka_unit_test(uniform_is_made_of_the_53_high_bits),
        cmocka_unit_test(uniform_spreads_over_zero_to_one),
    };

    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}

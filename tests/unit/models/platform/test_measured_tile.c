/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tile size that a platform suggests where none is given. */
#include "models/platform/measured_tile.h"

#include "tests/support/cmocka_all.h"

enum { PRESET = 960 };

/* Measurements of a, at 320, 1440 and 1600, and of b, at 320 and 1600. */
static struct orr_platform_duration of_a[] = {
    {.tile = 320}, {.tile = 1440}, {.tile = 1600}};
static struct orr_platform_duration of_b[] = {{.tile = 320}, {.tile = 1600}};
static struct orr_flops curve;

static struct orr_platform_kernel kernels[] = {
    {.family = (char *)"two",
     .name = (char *)"a",
     .count = G_N_ELEMENTS(of_a),
     .durations = of_a},
    {.family = (char *)"two",
     .name = (char *)"b",
     .count = G_N_ELEMENTS(of_b),
     .durations = of_b},
    {.family = (char *)"modelled",
     .name = (char *)"a",
     .count = G_N_ELEMENTS(of_a),
     .durations = of_a,
     .flops_count = 1,
     .flops = &curve},
};

static const struct orr_platform platform = {
    .kernels = kernels, .kernel_count = G_N_ELEMENTS(kernels)};

static unsigned single(const char *family, unsigned preset)
{
    return orr_measured_tile(&platform, family, ORR_SINGLE, preset);
}

static void the_preset_stays_where_it_is_measured(void **state)
{
    (void)state;
    assert_int_equal(single("two", 320), 320);
    assert_int_equal(single("two", 1440), 1440);
}

/* Both kernels are at 320 and 1600, of which each is 640 away from 960. */
static void most_kernels_count_then_the_distance(void **state)
{
    (void)state;
    assert_int_equal(single("two", 959), 320);
    assert_int_equal(single("two", 961), 1600);
    assert_int_equal(single("two", 1500), 1600);
}

static void others_keep_the_preset(void **state)
{
    (void)state;
    assert_int_equal(single("modelled", PRESET), PRESET);
    assert_int_equal(single("none", PRESET), PRESET);
    assert_int_equal(orr_measured_tile(&platform, "two", ORR_DOUBLE, PRESET),
                     PRESET);
}

ORR_TESTS(measured_tile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_preset_stays_where_it_is_measured),
        cmocka_unit_test(most_kernels_count_then_the_distance),
        cmocka_unit_test(others_keep_the_preset),
    };

    return cmocka_run_group_tests_name("measured tile", tests, NULL, NULL);
}

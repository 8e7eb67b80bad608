/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists and ranges of numbers. */
#include "apps/settings/lists.h"

#include <math.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

static void assert_range(const char *text, unsigned count,
                         const double *numbers)
{
    g_autoptr(GArray) range = orr_range_parse(text, NULL);

    assert_non_null(range);
    assert_int_equal(range->len, count);
    for (unsigned i = 0; i < count; i++)
        assert_true(fabs(g_array_index(range, double, i) - numbers[i]) < 1e-12);
}

static void a_list_is_as_it_is_written(void **state)
{
    const double numbers[] = {3, 0.5, 1e-3};

    (void)state;
    assert_range("3,0.5,1e-3", 3, numbers);
    assert_range("3", 1, numbers);
}

/* 0.05 has no exact representation, and ten of them are more than 0.5. */
static void a_range_has_both_of_its_ends(void **state)
{
    double numbers[11];

    (void)state;
    for (unsigned i = 0; i < 11; i++)
        numbers[i] = i / 20.0;
    assert_range("0:0.5:0.05", 11, numbers);
    assert_range("0:0.52:0.05", 11, numbers);
    assert_range("0:0:1", 1, numbers);
}

static void anything_else_is_refused(void **state)
{
    static const char *const texts[] = {
        "",         ",",       "1,",  "a",   "-1",      "1:2",     "1:2:0",
        "2:1:1",    "1:2:3:4", "0x1", " 1",  "nan",     "inf",     "1e999",
        "0:1:1e-9", "1:2:-1",  "--1", "1 2", "0:1e9:1", "1,2:3:4",
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(orr_range_parse(texts[i], &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    }
}

ORR_TESTS(range)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_as_it_is_written),
        cmocka_unit_test(a_range_has_both_of_its_ends),
        cmocka_unit_test(anything_else_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

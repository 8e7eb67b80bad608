/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/digits.h"

#include <glib.h>

#include "tests/support/cmocka_all.h"

static void assert_decimal(int64_t number, unsigned digits, const char *wanted)
{
    char text[ORR_DIGITS + 1] = "";
    const char *at = orr_digits_put_decimal(text + ORR_DIGITS, number, digits);

    assert_string_equal(at, wanted);
}

static void counts_have_their_digits(void **state)
{
    char text[ORR_DIGITS + 1] = "";
    char *end = text + ORR_DIGITS;

    (void)state;
    assert_string_equal(orr_digits_put(end, 0), "0");
    assert_string_equal(orr_digits_put(end, 9), "9");
    assert_string_equal(orr_digits_put(end, 10), "10");
    assert_string_equal(orr_digits_put(end, 100), "100");
    assert_string_equal(orr_digits_put(end, 1234567), "1234567");
    assert_string_equal(orr_digits_put(end, UINT64_MAX),
                        "18446744073709551615");
}

/* Digits are written by four, two and one: at each power of ten and beside it,
 * as printf() does. */
static void counts_are_as_printed(void **state)
{
    uint64_t power = 1;

    (void)state;
    for (unsigned i = 0; i < 20; i++, power *= 10) {
        for (uint64_t count = power - 1; count <= power + 1; count++) {
            char text[ORR_DIGITS + 1] = "";
            g_autofree char *wanted =
                g_strdup_printf("%" G_GUINT64_FORMAT, count);

            assert_string_equal(orr_digits_put(text + ORR_DIGITS, count),
                                wanted);
        }
    }
}

static void decimals_have_all_digits(void **state)
{
    (void)state;
    assert_decimal(0, 0, "0");
    assert_decimal(7, 0, "7");
    assert_decimal(-7, 0, "-7");
    assert_decimal(7, 1, "0.7");
    assert_decimal(-7, 3, "-0.007");
    assert_decimal(1000, 3, "1.000");
    assert_decimal(12345678, 6, "12.345678");
    assert_decimal(INT64_MAX, 18, "9.223372036854775807");
    assert_decimal(INT64_MIN, 9, "-9223372036.854775808");
}

static void assert_nano(double value, const char *wanted)
{
    char text[ORR_DIGITS + 1] = "";

    assert_string_equal(orr_digits_put_nano(text + ORR_DIGITS, value), wanted);
}

static void whole_nanoseconds_are_exact(void **state)
{
    char text[ORR_DIGITS + 1] = "";

    (void)state;
    assert_nano(0.0001, "0.0001");
    assert_nano(0.1, "0.1");
    assert_nano(3, "3");
    assert_nano(120, "120");
    assert_nano(1.769472, "1.769472");
    assert_nano(999999.999999999, "999999.999999999");
    assert_null(orr_digits_put_nano(text + ORR_DIGITS, 0.00001));
    assert_null(orr_digits_put_nano(text + ORR_DIGITS, 1e6));
    assert_null(orr_digits_put_nano(text + ORR_DIGITS, 1.0 / 3));
    assert_null(orr_digits_put_nano(text + ORR_DIGITS, 0.1 + 0.2));
    assert_null(orr_digits_put_nano(text + ORR_DIGITS, -1));
}

ORR_TESTS(digits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_their_digits),
        cmocka_unit_test(counts_are_as_printed),
        cmocka_unit_test(decimals_have_all_digits),
        cmocka_unit_test(whole_nanoseconds_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

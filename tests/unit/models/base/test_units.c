/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "models/base/error.h"
#include "models/base/units.h"
#include "tests/support/cmocka_all.h"

enum { UNTOUCHED = 42 };

static uint64_t bytes(const char *text)
{
    g_autoptr(GError) error = NULL;
    uint64_t value = UNTOUCHED;

    assert_true(orr_parse_bytes(text, &value, &error));
    assert_null(error);
    return value;
}

static double rate(const char *text)
{
    double value = UNTOUCHED;

    assert_true(orr_parse_rate(text, &value, NULL));
    return value;
}

static orr_time time_of(const char *text)
{
    orr_time value = UNTOUCHED;

    assert_true(orr_parse_time(text, &value, NULL));
    return value;
}

/* Fails unless @error says what is wrong with @text; frees it. */
static void assert_blames(const char *text, GError *error)
{
    g_autofree char *quoted = orr_quote(text);

    if (!g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE))
        fail_msg("accepted: %s", quoted);
    assert_true(g_str_has_prefix(error->message, quoted));
    assert_non_null(strstr(error->message, ": expected "));
    g_error_free(error);
}

static void assert_no_bytes(const char *text)
{
    GError *error = NULL;
    uint64_t value = UNTOUCHED;

    orr_parse_bytes(text, &value, &error);
    assert_blames(text, error);
    assert_int_equal(value, UNTOUCHED);
}

static void assert_no_rate(const char *text)
{
    GError *error = NULL;
    double value = UNTOUCHED;

    orr_parse_rate(text, &value, &error);
    assert_blames(text, error);
    assert_true(value == UNTOUCHED);
}

static void assert_no_time(const char *text)
{
    GError *error = NULL;
    orr_time value = UNTOUCHED;

    orr_parse_time(text, &value, &error);
    assert_blames(text, error);
    assert_int_equal(value, UNTOUCHED);
}

static void sizes_have_decimal_and_binary_units(void **state)
{
    (void)state;
    assert_int_equal(bytes("0B"), 0);
    assert_int_equal(bytes("17B"), 17);
    assert_int_equal(bytes("2KB"), 2000);
    assert_int_equal(bytes("2MB"), 2000000);
    assert_int_equal(bytes("2GB"), 2000000000);
    assert_int_equal(bytes("2TB"), 2000000000000);
    assert_int_equal(bytes("3KiB"), 3 * 1024);
    assert_int_equal(bytes("3MiB"), 3 * 1048576);
    assert_int_equal(bytes("3GiB"), 3 * INT64_C(1073741824));
    assert_int_equal(bytes("3TiB"), 3 * INT64_C(1099511627776));
}

static void sizes_may_have_a_fraction_and_an_exponent(void **state)
{
    (void)state;
    assert_int_equal(bytes("1.5GiB"), INT64_C(1610612736));
    assert_int_equal(bytes("0.25KiB"), 256);
    assert_int_equal(bytes("1e3GB"), INT64_C(1000000000000));
    assert_int_equal(bytes("25E-1KB"), 2500);
    assert_int_equal(bytes("1.5e+1B"), 15);
    assert_int_equal(bytes("0e99999999999999999999B"), 0);
}

static void sizes_are_exact(void **state)
{
    (void)state;
    /* In binary floating point: 3686400.0000000005, and 2^53. */
    assert_int_equal(bytes("3.6864MB"), 3686400);
    assert_int_equal(bytes("9007199254740993B"), INT64_C(9007199254740993));
    assert_int_equal(bytes("9223372036854775807B"), INT64_MAX);
    assert_int_equal(bytes("9.223372036854775807e18B"), INT64_MAX);
}

static void sizes_are_whole_and_fit(void **state)
{
    (void)state;
    assert_no_bytes("1.5B");
    assert_no_bytes("1e-1B");
    assert_no_bytes("0.0001KB");
    assert_no_bytes("0.1KiB");
    assert_no_bytes("9223372036854775808B");
    assert_no_bytes("18446744073709551616B");
    assert_no_bytes("8388608TiB");
    assert_no_bytes("1e19B");
    assert_no_bytes("1e99999999999999999999B");
    assert_no_bytes("1e-99999999999999999999B");
    assert_no_bytes("100000000000000000000000000000000000000000TB");
}

/* Each with "B" for bytes, "Bps" for a rate or "s" for a time after it. */
static const char *const not_numbers[] = {
    "",         " 1",    "1 ", "-1",  "+1",   "\t1",   "0x10", "inf", "nan",
    "INFINITY", "1.",    ".5", "1e",  "1e+",  "1,5",   "1_0",  "--1", "1e5.5",
    "e5",       "1.5.5", "\n", "1\n", "\xff", "1\xff", "%s%n",
};

static void only_decimal_numbers_are_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(not_numbers); i++) {
        g_autofree char *size = g_strconcat(not_numbers[i], "B", NULL);
        g_autofree char *speed = g_strconcat(not_numbers[i], "Bps", NULL);
        g_autofree char *date = g_strconcat(not_numbers[i], "s", NULL);

        assert_no_bytes(size);
        assert_no_rate(speed);
        assert_no_time(date);
    }
}

static void units_are_required_and_spelt_exactly(void **state)
{
    const char *const sizes[] = {"",   "1",   "1b",   "1kb",   "1Kb", "1K",
                                 "1M", "1Bx", "1Mib", "1GBps", "B",   "1B1"};
    const char *const rates[] = {"1", "1GB", "1bps", "1gbps", "1GB/S", "1G/s"};
    const char *const times[] = {"1", "1S", "1sec", "1m", "1min", "1h", "1 s"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
        assert_no_bytes(sizes[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(rates); i++)
        assert_no_rate(rates[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
        assert_no_time(times[i]);
}

static void rates_are_sizes_per_second(void **state)
{
    (void)state;
    assert_true(rate("6526732233.112210Bps") == 6526732233.112210);
    assert_true(rate("400000000Bps") == 4e8);
    assert_true(rate("16GBps") == 16e9);
    assert_true(rate("12.5MBps") == 12.5e6);
    assert_true(rate("2KiBps") == 2048);
    assert_true(rate("2.5TiBps") == 2.5 * 1099511627776);
    assert_true(rate("12.5GB/s") == 12.5e9);
    assert_true(rate("2KiB/s") == 2048);
}

static void rates_are_positive_and_finite(void **state)
{
    (void)state;
    assert_no_rate("0Bps");
    assert_no_rate("0.0GBps");
    assert_no_rate("1e-999Bps");
    assert_no_rate("1e999Bps");
    assert_no_rate("9223372036854775808Bps");
    assert_no_rate("-1Bps");
}

static void times_are_rounded_to_the_nearest_nanosecond(void **state)
{
    (void)state;
    assert_int_equal(time_of("0s"), 0);
    assert_int_equal(time_of("7ns"), 7);
    assert_int_equal(time_of("175us"), 175 * ORR_US);
    assert_int_equal(time_of("2.5ms"), 2500 * ORR_US);
    assert_int_equal(time_of("0.000010s"), 10 * ORR_US);
    assert_int_equal(time_of("9.500836us"), 9501);
    assert_int_equal(time_of("1.4ns"), 1);
    assert_int_equal(time_of("1.5ns"), 2);
    assert_int_equal(time_of("0.49999999999999994ns"), 0);
    assert_int_equal(time_of("1e9s"), 1000000000 * ORR_S);
}

static void times_below_2_63_ns_fit(void **state)
{
    (void)state;
    assert_int_equal(time_of("9223372036s"), INT64_C(9223372036) * ORR_S);
    assert_no_time("9223372037s");
    assert_no_time("9223372036854775808ns");
    assert_no_time("1e999s");
}

static void seconds_become_nanoseconds(void **state)
{
    (void)state;
    assert_int_equal(orr_time_from_seconds(0), 0);
    assert_int_equal(orr_time_from_seconds(1.5e-9), 2);
    assert_int_equal(orr_time_from_seconds(622.5e-6), 622500);
    assert_int_equal(orr_time_from_seconds(1e10), ORR_NEVER);
    assert_true(orr_time_to_seconds(1500 * ORR_MS) == 1.5);
}

static void never_absorbs_additions(void **state)
{
    (void)state;
    assert_int_equal(orr_time_add(3, 4), 7);
    assert_int_equal(orr_time_add(ORR_NEVER, 4), ORR_NEVER);
    assert_int_equal(orr_time_add(4, ORR_NEVER), ORR_NEVER);
    assert_int_equal(orr_time_add(ORR_NEVER - 4, 5), ORR_NEVER);
}

static void assert_no_count(const char *text)
{
    GError *error = NULL;
    uint64_t value = UNTOUCHED;

    orr_parse_count(text, 1, 10, &value, &error);
    assert_blames(text, error);
    assert_int_equal(value, UNTOUCHED);
}

static void counts_are_whole_decimal_numbers_within_bounds(void **state)
{
    uint64_t value;

    (void)state;
    assert_true(orr_parse_count("1", 1, 10, &value, NULL));
    assert_int_equal(value, 1);
    assert_true(orr_parse_count("10", 1, 10, &value, NULL));
    assert_int_equal(value, 10);
    assert_true(
        orr_parse_count("18446744073709551615", 0, UINT64_MAX, &value, NULL));
    assert_true(value == UINT64_MAX);
    assert_no_count("0");
    assert_no_count("11");
    assert_no_count("18446744073709551617"); /* 1 modulo 2^64 */
    assert_no_count("");
    assert_no_count(" 5");
    assert_no_count("5 ");
    assert_no_count("+5");
    assert_no_count("-5");
    assert_no_count("0x5");
    assert_no_count("5.0");
    assert_no_count("five");
}

static void errors_name_the_culprit_and_what_was_expected(void **state)
{
    g_autoptr(GError) no_unit = NULL;
    g_autoptr(GError) too_small = NULL;
    uint64_t value;

    (void)state;
    orr_parse_bytes("12", &value, &no_unit);
    assert_string_equal(no_unit->message,
                        "'12': expected a size such as 512MiB, in B, KB, MB, "
                        "GB, TB, KiB, MiB, GiB or TiB");
    orr_parse_count("0", 1, 64, &value, &too_small);
    assert_string_equal(too_small->message,
                        "'0': expected a whole number from 1 to 64");
}

static void assert_quoted(const char *text, const char *expected)
{
    g_autofree char *quoted = orr_quote(text);

    assert_string_equal(quoted, expected);
}

static void what_is_quoted_is_one_short_line_of_utf8(void **state)
{
    g_autofree char *endless = g_strnfill(100000, 'x');
    g_autofree char *quoted = orr_quote(endless);

    (void)state;
    assert_quoted("dmda", "'dmda'");
    assert_quoted("", "''");
    assert_quoted("a\nb\tc\x1b[0m", "'a?b?c?[0m'");
    assert_quoted("caf\xc3\xa9", "'caf\xc3\xa9'");
    assert_quoted("\xff", "'\xef\xbf\xbd'");
    assert_true(g_str_has_suffix(quoted, "x...'"));
    assert_int_equal(strlen(quoted), 60 + strlen("''..."));
}

static void assert_text(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    g_free(text);
}

static void sizes_are_shown_with_three_digits(void **state)
{
    (void)state;
    assert_text(orr_format_bytes(0), "0 B");
    assert_text(orr_format_bytes(7), "7 B");
    assert_text(orr_format_bytes(999), "999 B");
    assert_text(orr_format_bytes(1000), "1.00 KB");
    assert_text(orr_format_bytes(3686400), "3.69 MB");
    assert_text(orr_format_bytes(12000000000), "12.0 GB");
    assert_text(orr_format_bytes(812 * INT64_C(1000000000000)), "812 TB");
    assert_text(orr_format_bytes(9999999999999999), "10000 TB");
}

static void rounding_carries_into_the_next_digit_and_unit(void **state)
{
    (void)state;
    assert_text(orr_format_bytes(9996), "10.0 KB");
    assert_text(orr_format_bytes(99960), "100 KB");
    assert_text(orr_format_bytes(999499), "999 KB");
    assert_text(orr_format_bytes(999500), "1.00 MB");
}

static void rates_and_times_are_shown_with_units(void **state)
{
    (void)state;
    assert_text(orr_format_rate(12e9), "12.0 GB/s");
    assert_text(orr_format_rate(6526732233.112210), "6.53 GB/s");
    assert_text(orr_format_time(0), "0 ns");
    assert_text(orr_format_time(812 * ORR_US), "812 us");
    assert_text(orr_format_time(12345678), "12.3 ms");
    assert_text(orr_format_time(1234 * ORR_S), "1234 s");
    assert_text(orr_format_time(ORR_NEVER), "never");
}

static double speed(const char *text)
{
    double value = UNTOUCHED;

    assert_true(orr_parse_flops(text, &value, NULL));
    return value;
}

static void assert_no_speed(const char *text)
{
    GError *error = NULL;
    double value = UNTOUCHED;

    orr_parse_flops(text, &value, &error);
    assert_blames(text, error);
    assert_true(value == UNTOUCHED);
}

static void speeds_are_flops_per_second(void **state)
{
    (void)state;
    assert_true(speed("1Flop/s") == 1);
    assert_true(speed("30.7GFlop/s") == 30.7e9);
    assert_true(speed("67TFlop/s") == 67e12);
    assert_true(speed("1.5PFlop/s") == 1.5e15);
    assert_no_speed("0.5Flop/s");
    assert_no_speed("0GFlop/s");
    assert_no_speed("1e4PFlop/s");
    assert_no_speed("67TFlops");
    assert_no_speed("67 TFlop/s");
    assert_no_speed("67");
    assert_no_speed("TFlop/s");
    assert_text(orr_format_flops(66.9e12), "66.9 TFlop/s");
    assert_text(orr_format_flops(1.9e18), "1900 PFlop/s");
}

static void assert_no_number(const char *text)
{
    GError *error = NULL;
    double value = UNTOUCHED;

    orr_parse_number(text, 2, &value, &error);
    assert_blames(text, error);
    assert_true(value == UNTOUCHED);
}

static void numbers_are_above_0_and_bounded(void **state)
{
    double value;

    (void)state;
    assert_true(orr_parse_number("0.25", 2, &value, NULL) && value == 0.25);
    assert_true(orr_parse_number("2", 2, &value, NULL) && value == 2);
    assert_no_number("0");
    assert_no_number("2.0001");
    assert_no_number("-1");
    assert_no_number("1x");
    assert_no_number(" 1");
    assert_no_number("nan");
    assert_no_number("");
}

static void limits_are_shown_exactly(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 bytes"},
        {1023, "1023 bytes"},
        {1024, "1 KiB"},
        {(16 << 20) + 1024, "16385 KiB"},
        {16 << 20, "16 MiB"},
        {UINT64_C(1) << 30, "1 GiB"},
        {UINT64_C(1) << 40, "1024 GiB"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = orr_format_limit(cases[i].bytes);

        assert_string_equal(text, cases[i].text);
    }
}

ORR_TESTS(units)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_have_decimal_and_binary_units),
        cmocka_unit_test(sizes_may_have_a_fraction_and_an_exponent),
        cmocka_unit_test(sizes_are_exact),
        cmocka_unit_test(sizes_are_whole_and_fit),
        cmocka_unit_test(only_decimal_numbers_are_numbers),
        cmocka_unit_test(units_are_required_and_spelt_exactly),
        cmocka_unit_test(rates_are_sizes_per_second),
        cmocka_unit_test(rates_are_positive_and_finite),
        cmocka_unit_test(times_are_rounded_to_the_nearest_nanosecond),
        cmocka_unit_test(times_below_2_63_ns_fit),
        cmocka_unit_test(seconds_become_nanoseconds),
        cmocka_unit_test(never_absorbs_additions),
        cmocka_unit_test(counts_are_whole_decimal_numbers_within_bounds),
        cmocka_unit_test(errors_name_the_culprit_and_what_was_expected),
        cmocka_unit_test(what_is_quoted_is_one_short_line_of_utf8),
        cmocka_unit_test(sizes_are_shown_with_three_digits),
        cmocka_unit_test(rounding_carries_into_the_next_digit_and_unit),
        cmocka_unit_test(rates_and_times_are_shown_with_units),
        cmocka_unit_test(limits_are_shown_exactly),
        cmocka_unit_test(speeds_are_flops_per_second),
        cmocka_unit_test(numbers_are_above_0_and_bounded),
    };

    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps/settings/lists.h"

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

/* "960 1920 " */
static char *sizes_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    GArray *sizes = orr_sizes_parse(text, 960, 96000, &error);
    GString *list = g_string_new(NULL);

    assert_null(error);
    for (guint i = 0; sizes && i < sizes->len; i++)
        g_string_append_printf(list, "%" G_GUINT64_FORMAT " ",
                               g_array_index(sizes, uint64_t, i));
    g_array_unref(sizes);
    return g_string_free(list, FALSE);
}

static void assert_sizes(const char *text, const char *expected)
{
    g_autofree char *list = sizes_of(text);

    assert_string_equal(list, expected);
}

static void assert_refused(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_null(orr_sizes_parse(text, 960, 96000, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_VALUE));
    assert_string_equal(error->message, message);
}

static void a_list_keeps_its_order(void **state)
{
    (void)state;
    assert_sizes("960", "960 ");
    assert_sizes("9600,960,1920,960", "9600 960 1920 960 ");
}

static void a_range_goes_on_while_it_is_at_most_its_end(void **state)
{
    (void)state;
    assert_sizes("960:2880:960", "960 1920 2880 ");
}

static void the_end_of_a_range_need_not_be_a_size(void **state)
{
    (void)state;
    assert_sizes("1920:5000:1920", "1920 3840 ");
    assert_sizes("960:960:960", "960 ");
}

static void sizes_beyond_the_limits_are_refused(void **state)
{
    (void)state;
    assert_refused("0", "'0': expected a whole number from 960 to 96000");
    assert_refused("959:2000:100",
                   "'959': expected a whole number from 960 to 96000");
    assert_refused("96960",
                   "'96960': expected a whole number from 960 to 96000");
}

static void anything_but_a_list_or_range_is_refused(void **state)
{
    (void)state;
    assert_refused("", "'': expected A,B,C or FROM:TO:STEP");
    assert_refused("960,", "'': expected a whole number from 960 to 96000");
    assert_refused("960:1920", "'960:1920': expected A,B,C or FROM:TO:STEP");
    assert_refused("960:1920:0",
                   "'0': expected a whole number from 1 to 96000");
    assert_refused("960:1920:960:960",
                   "'960:1920:960:960': expected A,B,C or FROM:TO:STEP");
    assert_refused("1920:960:960",
                   "'1920:960:960': the range ends before it begins");
}

static void too_many_sizes_are_refused(void **state)
{
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_null(orr_sizes_parse("1:10001:1", 1, 96000, &error));
    assert_string_equal(error->message, "'1:10001:1': too many sizes");
}

ORR_TESTS(sizes)
{
    const struct CMUnitTest tests[] = {
#define T(test) cmocka_unit_test(test)
        T(a_list_keeps_its_order),
        T(a_range_goes_on_while_it_is_at_most_its_end),
        T(the_end_of_a_range_need_not_be_a_size),
        T(sizes_beyond_the_limits_are_refused),
        T(anything_but_a_list_or_range_is_refused),
        T(too_many_sizes_are_refused),
#undef T
    };

    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}

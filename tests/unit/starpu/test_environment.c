/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <starpu_helper.h>

#include "tests/support/cmocka_all.h"
#include "tests/support/ending.h"

#include <stdlib.h>

static const char name[] = "ORR_TEST_VALUE";

static int set_size(const char *value)
{
    setenv(name, value, 1);
    return starpu_get_env_size_default(name, 7);
}

static void unset_variables_have_the_fallback(void **state)
{
    const char *words[] = {"eager", "lazy", NULL};

    (void)state;
    unsetenv(name);
    assert_int_equal(starpu_get_env_number(name), -1);
    assert_int_equal(starpu_get_env_number_default(name, 7), 7);
    assert_int_equal(starpu_get_env_size_default(name, 7), 7);
    assert_int_equal(starpu_get_env_string_var_default(name, words, 1), 1);
    assert_true(starpu_get_env_float_default(name, 0.5) == 0.5);
}

static void values_are_read(void **state)
{
    const char *words[] = {"eager", "lazy", NULL};

    (void)state;
    setenv(name, "12", 1);
    assert_int_equal(starpu_get_env_number(name), 12);
    setenv(name, "Lazy", 1);
    assert_int_equal(starpu_get_env_string_var_default(name, words, 0), 1);
    setenv(name, "-1.5", 1);
    assert_true(starpu_get_env_float_default(name, 0) == -1.5);
}

static void sizes_have_units(void **state)
{
    (void)state;
    assert_int_equal(set_size("3"), 3 * 1024);
    assert_int_equal(set_size("3b"), 3);
    assert_int_equal(set_size(" 3 k "), 3 * 1024);
    assert_int_equal(set_size("3M"), 3 * 1024 * 1024);
    assert_int_equal(set_size("1G"), 1024 * 1024 * 1024);
    assert_int_equal(set_size(""), 7);
}

static void read_no_number(void)
{
    setenv(name, "x", 1);
    starpu_get_env_number(name);
}

static void read_no_unit(void)
{
    set_size("3T");
}

static void read_too_much(void)
{
    set_size("2G");
}

static void read_no_word(void)
{
    const char *words[] = {"eager", "lazy", NULL};

    setenv(name, "x", 1);
    starpu_get_env_string_var_default(name, words, 0);
}

static void assert_ending(void (*function)(void), const char *expected)
{
    g_autofree char *message = orr_ending_message(function);

    assert_string_equal(message, expected);
}

static void wrong_values_end_the_program(void **state)
{
    (void)state;
    assert_ending(read_no_number,
                  "starpu_getenv_number(): ORR_TEST_VALUE=x is not a whole "
                  "number from 0 to 2147483647");
    assert_ending(read_no_unit, "starpu_getenv_size_default(): "
                                "ORR_TEST_VALUE=3T: the unit is not B, K, M "
                                "or G");
    assert_ending(read_too_much, "starpu_getenv_size_default(): "
                                 "ORR_TEST_VALUE=2G: over 2147483647 bytes");
    assert_ending(read_no_word, "starpu_getenv_string_var_default(): "
                                "ORR_TEST_VALUE=x is not one of: eager, lazy");
}

ORR_TESTS(environment)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_variables_have_the_fallback),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(wrong_values_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

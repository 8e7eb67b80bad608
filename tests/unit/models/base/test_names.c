/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/names.h"

#include <string.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"

static const char *const policies[] = {"dm", "dmda", "dmdas", "ws", NULL};

static void case_and_blanks_do_not_count(void **state)
{
    (void)state;
    assert_true(orr_name_matches("dmdas", "dmdas"));
    assert_true(orr_name_matches("dmdas", " DmdaS\t"));
    assert_false(orr_name_matches("dmdas", "dmd as"));
    assert_false(orr_name_matches("dmdas", "dmda"));
    assert_false(orr_name_matches("dmdas", ""));
}

static void a_name_is_found_in_a_list(void **state)
{
    size_t index = 9;

    (void)state;
    assert_true(orr_names_find("policy", policies, " DMDA", &index, NULL));
    assert_int_equal(index, 1);
}

static void what_is_not_found_is_corrected(void **state)
{
    GError *error = NULL;
    size_t index = 9;

    (void)state;
    assert_false(orr_names_find("policy", policies, "dmads", &index, &error));
    assert_int_equal(index, 9);
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message,
                        "unknown policy 'dmads' (did you mean 'dmdas'?); "
                        "there are: dm, dmda, dmdas, ws");
    g_error_free(error);
}

static void an_empty_list_has_none(void **state)
{
    const char *const none[] = {NULL};
    GError *error = NULL;

    (void)state;
    orr_names_fail("kernel", none, "gemm", &error);
    assert_string_equal(error->message,
                        "unknown kernel 'gemm'; there are: none");
    g_error_free(error);
}

static void the_nearest_name_is_one_change_in_three_letters_away(void **state)
{
    static const char *const names[] = {"attila", "cholesky", "gemm", NULL};

    (void)state;
    assert_string_equal(orr_names_nearest(names, "atilla"), "attila");
    assert_string_equal(orr_names_nearest(names, "choleski"), "cholesky");
    assert_string_equal(orr_names_nearest(names, "CHOLSEKY "), "cholesky");
    assert_string_equal(orr_names_nearest(names, "gmem"), "gemm"); /* swapped */
    assert_null(orr_names_nearest(names, "mgme")); /* two changes in four */
    assert_null(orr_names_nearest(names, ""));
}

static void names_of_any_length_are_compared(void **state)
{
    g_autofree char *text = g_strnfill(1000000, 'a');
    const char *const names[] = {text, "b", NULL};

    (void)state;
    assert_null(orr_names_nearest(names, text));
    assert_null(orr_names_nearest(names, "aaa"));
}

ORR_TESTS(names)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_and_blanks_do_not_count),
        cmocka_unit_test(a_name_is_found_in_a_list),
        cmocka_unit_test(what_is_not_found_is_corrected),
        cmocka_unit_test(an_empty_list_has_none),
        cmocka_unit_test(the_nearest_name_is_one_change_in_three_letters_away),
        cmocka_unit_test(names_of_any_length_are_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/glob.h"

#include <string.h>

#include "tests/support/temp_file.h"

static void without_wildcards_all_must_be_equal(void **state)
{
    (void)state;
    assert_true(orr_glob_matches("link.Host", "link.Host"));
    assert_false(orr_glob_matches("link.Host", "link.Hos"));
    assert_false(orr_glob_matches("link.Hos", "link.Host"));
    assert_true(orr_glob_matches("", ""));
    assert_false(orr_glob_matches("", "a"));
}

static void a_star_is_any_text_even_none(void **state)
{
    (void)state;
    assert_true(orr_glob_matches("*", ""));
    assert_true(orr_glob_matches("a*", "a"));
    assert_true(orr_glob_matches("*.size", "memory.CUDA0.size"));
    assert_true(orr_glob_matches("m*y.*.s*", "memory.CUDA0.size"));
    assert_true(orr_glob_matches("*ab*ab", "aabab ab"));
    assert_false(orr_glob_matches("*ab", "abc"));
    assert_false(orr_glob_matches("a*b*c", "acb"));
}

static void a_question_mark_is_one_character(void **state)
{
    (void)state;
    assert_true(orr_glob_matches("CUDA?", "CUDA7"));
    assert_false(orr_glob_matches("CUDA?", "CUDA"));
    assert_false(orr_glob_matches("CUDA?", "CUDA10"));
    assert_true(orr_glob_matches("?t?", "\xc3\xa9t\xc3\xa9"));
}

static void brackets_are_what_they_are(void **state)
{
    (void)state;
    assert_true(orr_glob_matches("PCI:[00-07] *", "PCI:[00-07] up"));
    assert_false(orr_glob_matches("PCI:[00-07] *", "PCI:0 up"));
}

/* A naive one would not end in our lifetime. */
static void many_stars_take_no_time(void **state)
{
    g_autofree char *text = g_strnfill(4000, 'a');
    GString *pattern = g_string_new(NULL);

    (void)state;
    for (int i = 0; i < 1000; i++)
        g_string_append(pattern, "a*");
    assert_true(orr_glob_matches(pattern->str, text));
    g_string_append(pattern, "b");
    assert_false(orr_glob_matches(pattern->str, text));
    g_string_free(pattern, TRUE);
}

ORR_TESTS(glob)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_wildcards_all_must_be_equal),
        cmocka_unit_test(a_star_is_any_text_even_none),
        cmocka_unit_test(a_question_mark_is_one_character),
        cmocka_unit_test(brackets_are_what_they_are),
        cmocka_unit_test(many_stars_take_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

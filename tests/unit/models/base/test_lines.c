/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/lines.h"

#include <string.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

/* Lines 7 and 8 of a file. */
static struct orr_lines lines_of(const char *const text[2], GError **error)
{
    return (struct orr_lines){
        .path = "it.txt", .text = text, .count = 2, .first = 7, .error = error};
}

static void a_line_has_a_name_words_and_a_text(void **state)
{
    const char *const text[] = {"one 12 ff 0.5 it", "two a b\\n\\303\\251"};
    struct orr_lines lines = lines_of(text, NULL);
    g_autofree char *word = NULL, *rest = NULL;

    (void)state;
    assert_true(orr_lines_next(&lines, "one"));
    assert_int_equal(orr_lines_number(&lines, 12), 12);
    assert_int_equal(orr_lines_hash(&lines), 255);
    assert_true(orr_lines_share(&lines) == 0.5);
    word = orr_lines_word(&lines);
    assert_string_equal(word, "it");
    assert_true(orr_lines_is_next(&lines, "two"));
    assert_false(orr_lines_is_next(&lines, "tw"));
    assert_true(orr_lines_next(&lines, "two"));
    rest = orr_lines_text(&lines);
    assert_string_equal(rest, "a b\n\xc3\xa9");
    assert_false(orr_lines_is_next(&lines, "two"));
    assert_false(lines.failed);
}

static void a_text_comes_back(void **state)
{
    g_autoptr(GString) line = g_string_new("two ");
    const char *text[] = {"one", NULL};
    struct orr_lines lines;
    g_autofree char *back = NULL;

    (void)state;
    orr_lines_append_text(line, " \"a\\b\"\t\xc3\xa9 \n");
    assert_null(strchr(line->str, '\n'));
    text[1] = line->str;
    lines = lines_of(text, NULL);
    orr_lines_next(&lines, "one");
    orr_lines_next(&lines, "two");
    back = orr_lines_text(&lines);
    assert_string_equal(back, " \"a\\b\"\t\xc3\xa9 \n");
}

/* The four ways to read the line "one @rest". */
enum way { NUMBER, HASH, SHARE, TEXT };

static void assert_wrong(const char *rest, enum way way, const char *message)
{
    g_autofree char *line = g_strconcat("one ", rest, NULL);
    const char *const text[] = {line, "two 1"};
    GError *error = NULL;
    struct orr_lines lines = lines_of(text, &error);

    assert_true(orr_lines_next(&lines, "one"));
    if (way == NUMBER)
        assert_int_equal(orr_lines_number(&lines, 99), 0);
    else if (way == HASH)
        assert_int_equal(orr_lines_hash(&lines), 0);
    else if (way == SHARE)
        assert_true(orr_lines_share(&lines) == 0);
    else
        assert_null(orr_lines_text(&lines));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_SYNTAX));
    assert_string_equal(error->message, message);
    g_error_free(error);
    assert_false(orr_lines_next(&lines, "two")); /* nothing is read any more */
    assert_int_equal(orr_lines_number(&lines, 1), 0);
    assert_null(orr_lines_word(&lines));
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    assert_wrong("", NUMBER, "it.txt:7: a word is missing");
    assert_wrong("x", NUMBER, "it.txt:7: 'x': expected a number from 0 to 99");
    assert_wrong("-1", NUMBER,
                 "it.txt:7: '-1': expected a number from 0 to 99");
    assert_wrong("100", NUMBER,
                 "it.txt:7: '100': expected a number from 0 to 99");
    assert_wrong("g", HASH,
                 "it.txt:7: 'g': expected a number from 0 to "
                 "18446744073709551615");
    assert_wrong("nan", SHARE, "it.txt:7: expected a number from 0 to 1");
    assert_wrong("1.5", SHARE, "it.txt:7: expected a number from 0 to 1");
    assert_wrong("0.5x", SHARE, "it.txt:7: expected a number from 0 to 1");
    assert_wrong("a\\", TEXT, "it.txt:7: the text is damaged");
    assert_wrong("\\377", TEXT, "it.txt:7: the text is damaged");
}

static void another_line_is_named(void **state)
{
    const char *const text[] = {"one", "two"};
    GError *error = NULL;
    struct orr_lines lines = lines_of(text, &error);

    (void)state;
    orr_lines_next(&lines, "one");
    assert_false(orr_lines_next(&lines, "three"));
    assert_string_equal(error->message,
                        "it.txt:8: expected 'three', found 'two'");
    g_clear_error(&error);
    lines = lines_of(text, &error);
    orr_lines_next(&lines, "one");
    orr_lines_next(&lines, "two");
    assert_false(orr_lines_next(&lines, "three"));
    assert_string_equal(error->message,
                        "it.txt:9: expected 'three', found the end");
    g_error_free(error);
}

ORR_TESTS(lines)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_a_name_words_and_a_text),
        cmocka_unit_test(a_text_comes_back),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(another_line_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables of options, and the manual page that is made of them. */
#include <string.h>

#include "apps/cli/cmd.h"
#include "apps/options/manual.h"
#include "apps/settings/settings.h"
#include "tests/support/cmocka_all.h"

static void check_row(const struct orr_syntax *syntax,
                      const struct orr_option *option)
{
    print_message("%s: --%s\n", syntax->command, option->name);
    assert_non_null(option->parse);
    assert_true(strlen(option->help) > 0);
    assert_false(g_str_has_suffix(option->help, "."));
    assert_null(strchr(option->help, '\n'));
    assert_true(!option->value || *option->value);
    assert_true(option->value || (!option->choices && !option->offer));
    /* Another row of that name would never be read. */
    assert_ptr_equal(orr_option_find(syntax->groups, option->name,
                                     strlen(option->name), NULL),
                     option);
}

static unsigned check_commands(const struct orr_cmd *const *commands)
{
    unsigned count = 0;

    for (; *commands; commands++) {
        const struct orr_syntax *syntax = (*commands)->syntax;

        if ((*commands)->commands)
            count += check_commands((*commands)->commands);
        for (size_t g = 0; syntax && syntax->groups[g]; g++) {
            for (size_t i = 0; i < syntax->groups[g]->count; i++, count++)
                check_row(syntax, &syntax->groups[g]->options[i]);
        }
    }
    return count;
}

static void every_option_of_every_command_is_read(void **state)
{
    (void)state;
    assert_true(check_commands(orr_commands) > 200);
}

static void
every_setting_that_reports_repeat_has_a_name_of_its_own(void **state)
{
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    const struct orr_option *option;

    (void)state;
    for (size_t i = 0; (option = orr_settings_option(i)); i++) {
        for (const struct orr_fact *fact = option->facts; fact->name; fact++)
            assert_true(g_hash_table_add(names, (gpointer)fact->name));
    }
    assert_true(g_hash_table_contains(names, "gpu_memory_bytes"));
    assert_true(g_hash_table_contains(names, "window_min"));
}

static void assert_page(const char *text, const char *expected)
{
    g_autoptr(GString) page = g_string_new(NULL);

    orr_manual_add_text(page, text);
    assert_string_equal(page->str, expected);
}

static void marks_become_fonts(void **state)
{
    (void)state;
    assert_page("Of `--size` and *FILE*.", "Of \\fB\\-\\-size\\fR and "
                                           "\\fIFILE\\fR.\n");
    assert_page("`link.*.bandwidth`", "\\fBlink.*.bandwidth\\fR\n");
}

static void each_sentence_has_a_line(void **state)
{
    (void)state;
    assert_page("One, e.g. 2 (of 3.) `four`? Five.",
                "One, e.g. 2 (of 3.)\n\\fBfour\\fR?\nFive.\n");
    assert_page("First.\n\nSecond.", "First.\n.IP\nSecond.\n");
}

/* These would be requests, accents or escapes to troff. */
static void text_is_no_request(void **state)
{
    (void)state;
    assert_page(".rec holds it. 'tis a 10^8 \\ ~",
                "\\&.rec holds it. 'tis a 10\\(ha8 \\e \\(ti\n");
    assert_page("'tis", "\\&'tis\n");
}

static void an_option_is_a_tagged_paragraph(void **state)
{
    static const struct orr_option options[] = {
        {"pcie-link", "X|gpus=FILE.so", "the link", .manual = ""},
        {"fast", NULL, "run fast", .manual = "Runs fast."},
        {"kind", "K", "mean or sampled (default mean)", .max = 0},
        {"seed", "N", "seed of all draws", .max = 0},
    };
    g_autoptr(GString) page = g_string_new(NULL);

    (void)state;
    orr_manual_add_options(page, options, G_N_ELEMENTS(options));
    assert_string_equal(
        page->str,
        ".TP\n.BI \\-\\-pcie\\-link \" \\fIX\\fR|\\fBgpus\\fR=\\fIFILE.so\"\n"
        ".TQ\n.B \\-\\-fast\nRuns fast.\n"
        ".TP\n.BI \\-\\-kind \" \\fIK\"\nmean or sampled (default mean).\n"
        ".TP\n.BI \\-\\-seed \" \\fIN\"\nSeed of all draws.\n");
}

ORR_TESTS(options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_of_every_command_is_read),
        cmocka_unit_test(
            every_setting_that_reports_repeat_has_a_name_of_its_own),
        cmocka_unit_test(marks_become_fonts),
        cmocka_unit_test(each_sentence_has_a_line),
        cmocka_unit_test(text_is_no_request),
        cmocka_unit_test(an_option_is_a_tagged_paragraph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

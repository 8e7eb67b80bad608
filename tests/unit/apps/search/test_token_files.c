/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A token chooses no file: it holds names, and its user gives the files. */
#include <string.h>

#include "apps/token/token.h"
#include "tests/support/temp_file.h"

/* A token of a run without files. */
static void fill(struct orr_token *token)
{
    struct orr_settings settings;

    orr_settings_init(&settings);
    assert_true(orr_settings_open(&settings, "cholesky", NULL));
    assert_true(orr_settings_give(&settings, "tiles=3", NULL));
    assert_true(orr_settings_resolve(&settings, "cholesky", NULL));
    assert_true(orr_token_init(token, &settings.scenario, "ws", NULL));
    orr_settings_clear(&settings);
}

/* Options as they are given, and as the token holds them. */
static const struct {
    enum orr_token_input input;
    const char *given, *held, *path;
} files[] = {
    {ORR_TOKEN_SCHED, "sched=/a/b/it.so", "sched=./it.so", "/a/b/it.so"},
    {ORR_TOKEN_SCHED, "sched=../policy", "sched=./policy", "../policy"},
    {ORR_TOKEN_SCHED, "sched=it.so", "sched=./it.so", "it.so"},
    {ORR_TOKEN_RECORD, "record=a/tasks.rec", "record=./tasks.rec",
     "a/tasks.rec"},
    {ORR_TOKEN_RECORD, "record=tasks", "record=./tasks", "tasks"},
    {ORR_TOKEN_PLATFORM, "platform=../attila", "platform=./attila",
     "../attila"},
    {ORR_TOKEN_PLATFORM, "platform=m.xml", "platform=./m.xml", "m.xml"},
    {ORR_TOKEN_PLATFORM, "platform=starpu:/home/x/sampling:attila",
     "platform=starpu:sampling:attila", "starpu:/home/x/sampling:attila"},
};

static void a_token_holds_no_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        struct orr_token token;

        fill(&token);
        orr_token_add_option(&token, files[i].given);
        assert_string_equal(token.options->pdata[token.options->len - 1],
                            files[i].held);
        assert_string_equal(token.files[files[i].input], files[i].path);
        orr_token_clear(&token);
    }
}

/* Fails if @settings have another file than @file, which the user gave. */
static void check_settings(const struct orr_settings *settings,
                           const char *file)
{
    const char *sched = settings->scenario.config.sched;

    assert_true(strcmp(settings->scenario.config.platform, "attila") == 0 ||
                g_strcmp0(settings->scenario.config.platform, file) == 0);
    assert_true(strcmp(sched, "ws") == 0 || strcmp(sched, "dmda") == 0 ||
                g_strcmp0(sched, file) == 0);
    assert_true(!settings->scenario.config.record ||
                g_strcmp0(settings->scenario.config.record, file) == 0);
}

/* Adds @option to @token as a forger would, and prepares it with @file. */
static enum orr_exit prepare(const char *option, enum orr_token_input input,
                             const char *file, GError **error)
{
    struct orr_settings settings;
    struct orr_token token;
    enum orr_exit status;

    fill(&token);
    g_ptr_array_add(token.options, g_strdup(option));
    orr_settings_init(&settings);
    settings.outputs.token_files[input] = file;
    assert_true(orr_token_apply(&token, &settings, NULL));
    check_settings(&settings, NULL);
    status = orr_token_prepare(&token, &settings, error);
    check_settings(&settings, file);
    orr_settings_clear(&settings);
    orr_token_clear(&token);
    return status;
}

/* Neither the paths that older tokens held nor names alone are used. */
static void a_token_chooses_no_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(files); i++) {
        const char *option = i % 2 ? files[i / 2].given : files[i / 2].held;
        g_autoptr(GError) error = NULL;

        assert_int_equal(prepare(option, files[i / 2].input, NULL, &error),
                         ORR_EXIT_USAGE);
        assert_true(g_str_has_prefix(
            error->message,
            "the token was made with files; give them again: --"));
        assert_null(strstr(error->message, "/home/x"));
    }
}

static void a_file_that_a_token_does_not_need_is_refused(void **state)
{
    static const struct {
        const char *option;
        enum orr_token_input input;
        const char *file, *message;
    } cases[] = {
        {"tiles=4", ORR_TOKEN_SCHED, "./it.so",
         "--sched './it.so': the token was made without a file of a policy"},
        {"sched=dmda", ORR_TOKEN_SCHED, "./it.so",
         "--sched './it.so': the token was made without a file of a policy"},
        {"tiles=4", ORR_TOKEN_RECORD, "a.rec",
         "--record 'a.rec': the token was made without a file of a record"},
        {"sched=./it", ORR_TOKEN_SCHED, "it",
         "--sched 'it' is not a file; if it is one, write it with its folder, "
         "./it"},
    };

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        assert_int_equal(
            prepare(cases[i].option, cases[i].input, cases[i].file, &error),
            ORR_EXIT_USAGE);
        assert_string_equal(error->message, cases[i].message);
    }
}

/* A name cannot leave the folder of the platforms. */
static void a_platform_of_a_token_is_a_name(void **state)
{
    static const char *const names[] = {"platform=..", "platform=.",
                                        "platform=nowhere"};

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct orr_settings settings;
        struct orr_token token;
        g_autoptr(GError) error = NULL;

        fill(&token);
        g_ptr_array_add(token.options, g_strdup(names[i]));
        orr_settings_init(&settings);
        assert_int_equal(orr_token_prepare(&token, &settings, &error),
                         ORR_EXIT_FAILURE);
        assert_true(g_str_has_prefix(error->message, "no platform '"));
        orr_settings_clear(&settings);
        orr_token_clear(&token);
    }
}

static void files_are_quoted_for_a_shell(void **state)
{
    struct orr_token token;
    g_autofree char *text = NULL;

    (void)state;
    fill(&token);
    orr_token_add_option(&token, "platform=starpu:a/b:h");
    orr_token_add_option(&token, "sched=./it's.so");
    orr_token_add_option(&token, "record=$(a b).rec");
    text = orr_token_files_text(&token);
    assert_string_equal(text, " --platform starpu:a/b:h --sched "
                              "'./it'\\''s.so' --record '$(a b).rec'");
    orr_token_clear(&token);
}

ORR_TESTS(token_files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_holds_no_path),
        cmocka_unit_test(a_token_chooses_no_file),
        cmocka_unit_test(a_file_that_a_token_does_not_need_is_refused),
        cmocka_unit_test(a_platform_of_a_token_is_a_name),
        cmocka_unit_test(files_are_quoted_for_a_shell),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

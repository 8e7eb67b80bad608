/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/import/platform_find.h"

#include <glib/gstdio.h>
#include <string.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

static void the_first_folder_that_has_a_platform_counts(void **state)
{
    g_autofree char *ours = source_file("tests/platforms");
    g_autofree char *bad = source_file("tests/bad-platforms");
    const char *const folders[] = {"/nowhere", ours, bad, NULL};
    struct orr_platform *platform =
        orr_platform_load("cpu-only", folders, NULL);

    (void)state;
    assert_string_equal(platform->name, "cpu-only");
    assert_true(g_str_has_prefix(platform->path, ours));
    orr_platform_free(platform);
}

static void case_and_blanks_do_not_count(void **state)
{
    g_autofree char *ours = source_file("tests/platforms");
    const char *const folders[] = {ours, NULL};
    struct orr_platform *platform =
        orr_platform_load(" CPU-only", folders, NULL);

    (void)state;
    assert_string_equal(platform->name, "cpu-only");
    orr_platform_free(platform);
}

static void a_path_is_not_looked_up(void **state)
{
    g_autofree char *ours = source_file("tests/platforms");
    const char *const folders[] = {ours, NULL};
    g_autofree char *path = g_build_filename(ours, "cpu-only.xml", NULL);
    struct orr_platform *platform = orr_platform_load(path, folders, NULL);
    GError *error = NULL;

    (void)state;
    assert_string_equal(platform->name, "cpu-only");
    orr_platform_free(platform);
    assert_null(orr_platform_load("cpu-only.xml", folders, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    g_error_free(error);
}

/* A new folder with empty files of these @names, NULL-terminated. */
static char *make_folder(const char *const *names)
{
    char *folder = temp_folder_new();

    for (; *names; names++) {
        g_autofree char *path = temp_folder_path(folder, *names);

        assert_true(g_file_set_contents(path, "", 0, NULL));
    }
    return folder;
}

static void an_unknown_platform_is_answered_by_those_there_are(void **state)
{
    static const char *const names[] = {"one.xml", "another.xml", "note", NULL};
    char *ours = make_folder(names);
    const char *const folders[] = {ours, NULL};
    const char *const nowhere[] = {"/nowhere", NULL};
    g_autofree char *expected = g_strconcat("no platform 'atila'; in ", ours,
                                            " there are: another, one", NULL);
    GError *error = NULL;

    (void)state;
    assert_null(orr_platform_load("atila", folders, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_UNKNOWN));
    assert_string_equal(error->message, expected);
    g_clear_error(&error);
    assert_null(orr_platform_load("", nowhere, &error));
    assert_string_equal(error->message,
                        "no platform ''; in /nowhere there are: none");
    g_error_free(error);
    temp_folder_remove(ours, names);
}

static void names_are_sorted_and_come_once(void **state)
{
    static const char *const here[] = {"c.xml", "a.xml", ".hidden.xml", NULL};
    static const char *const there[] = {"b.xml", "a.xml", NULL};
    char *first = make_folder(here);
    char *second = make_folder(there);
    const char *const folders[] = {first, second, "/nowhere", first, NULL};
    g_auto(GStrv) names = orr_platform_names(folders);
    g_autofree char *list = g_strjoinv(" ", names);

    (void)state;
    assert_string_equal(list, "a b c");
    temp_folder_remove(first, here);
    temp_folder_remove(second, there);
}

static void the_build_tree_uses_the_source_folder(void **state)
{
    g_auto(GStrv) folders = orr_platform_folders(NULL);
    struct orr_platform *platform = orr_platform_load("attila", NULL, NULL);

    (void)state;
    assert_string_equal(folders[0], ORR_SOURCE_DIR "/platforms");
    assert_null(folders[1]);
    assert_non_null(platform);
    orr_platform_free(platform);
}

static void folders_of_the_user_come_first(void **state)
{
    g_autofree char *folder = source_file("tests/platforms");
    g_autofree char *list = g_strconcat(":/nowhere:", folder, ":", NULL);
    const char *const first[] = {"/first", NULL};
    g_auto(GStrv) folders = NULL;
    struct orr_platform *platform;

    (void)state;
    g_setenv(ORR_PLATFORMS_VARIABLE, list, TRUE);
    folders = orr_platform_folders(first);
    platform = orr_platform_load("three-gpus", NULL, NULL);
    g_unsetenv(ORR_PLATFORMS_VARIABLE);
    assert_int_equal(g_strv_length(folders), 4);
    assert_string_equal(folders[0], "/first");
    assert_string_equal(folders[1], "/nowhere");
    assert_string_equal(folders[2], folder);
    assert_string_equal(folders[3], ORR_SOURCE_DIR "/platforms");
    assert_non_null(platform);
    orr_platform_free(platform);
}

ORR_TESTS(platform_find)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_folder_that_has_a_platform_counts),
        cmocka_unit_test(case_and_blanks_do_not_count),
        cmocka_unit_test(a_path_is_not_looked_up),
        cmocka_unit_test(an_unknown_platform_is_answered_by_those_there_are),
        cmocka_unit_test(names_are_sorted_and_come_once),
        cmocka_unit_test(the_build_tree_uses_the_source_folder),
        cmocka_unit_test(folders_of_the_user_come_first),
    };

    return cmocka_run_group_tests_name("platform_find", tests, NULL, NULL);
}

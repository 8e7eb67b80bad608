/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files are replaced as a whole or not at all. */
#include "models/base/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "models/base/error.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

static void assert_content(const char *path, const char *content, size_t size)
{
    g_autofree char *found = NULL;
    gsize length;

    assert_true(g_file_get_contents(path, &found, &length, NULL));
    assert_int_equal(length, size);
    assert_memory_equal(found, content, size);
}

static void a_file_is_replaced(void **state)
{
    char *path = temp_file_new("something longer", 16);

    (void)state;
    assert_true(orr_file_replace(path, "a\0b", 3, NULL));
    assert_content(path, "a\0b", 3);
    assert_true(orr_file_replace(path, "", 0, NULL));
    assert_content(path, "", 0);
    temp_file_remove(path);
}

static void a_new_file_gets_the_usual_rights(void **state)
{
    char *path = temp_file_new("", 0);
    mode_t mask = umask(022);
    struct stat facts;

    (void)state;
    assert_int_equal(g_remove(path), 0);
    assert_true(orr_file_replace(path, "new", 3, NULL));
    umask(mask);
    assert_content(path, "new", 3);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0644);
    temp_file_remove(path);
}

static void what_is_no_regular_file_stays(void **state)
{
    static const char *const paths[] = {"/dev/null", "/"};
    GError *error = NULL;

    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        assert_false(orr_file_replace(paths[i], "x", 1, &error));
        assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
        assert_non_null(strstr(error->message, "not a regular file"));
        g_clear_error(&error);
    }
}

static void a_missing_folder_is_named(void **state)
{
    GError *error = NULL;

    (void)state;
    assert_false(orr_file_replace("/nowhere/to/be", "x", 1, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message,
                        "/nowhere/to/be: No such file or directory");
    g_clear_error(&error);
}

/* Before anything is written. */
static void what_cannot_be_written_is_known_before(void **state)
{
    static const struct {
        const char *path, *message;
    } cases[] = {
        {"/nowhere/to/be", "/nowhere/to/be: No such file or directory"},
        {"/dev/null", "/dev/null: not a regular file"},
        {"nowhere/", "nowhere/: not the name of a file"},
        {"", ": not the name of a file"},
    };
    char *path = temp_file_new("old", 3);

    (void)state;
    assert_true(orr_file_check(path, NULL));
    assert_content(path, "old", 3);
    temp_file_remove(path);
    assert_true(orr_file_check("new", NULL));
    assert_false(g_file_test("new", G_FILE_TEST_EXISTS));
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        assert_false(orr_file_check(cases[i].path, &error));
        assert_string_equal(error->message, cases[i].message);
    }
}

static void a_folder_that_cannot_be_made_is_known_before(void **state)
{
    static const char *const names[] = {"file", "link", NULL};
    static const struct {
        const char *name;
        bool good;
    } cases[] = {
        {".", true},        {"new", true},   {"new/one", true},
        {"file/of", false}, {"file", false}, {"link", false},
    };
    char *folder = temp_folder_new();
    g_autofree char *file = temp_folder_path(folder, "file");
    g_autofree char *link = temp_folder_path(folder, "link");

    (void)state;
    assert_true(orr_file_replace(file, "", 0, NULL));
    assert_int_equal(symlink("nowhere", link), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = temp_folder_path(folder, cases[i].name);
        g_autofree char *expected =
            g_strconcat(path, ": Not a directory", NULL);
        g_autoptr(GError) error = NULL;

        assert_int_equal(orr_folder_check(path, &error), cases[i].good);
        if (error)
            assert_string_equal(error->message, expected);
    }
    assert_true(orr_folder_check("new/one", NULL));
    temp_folder_remove(folder, names);
}

static void the_target_of_a_link_is_replaced_and_the_link_stays(void **state)
{
    static const char *const names[] = {"file", "link", "second", NULL};
    char *folder = temp_folder_new();
    g_autofree char *file = temp_folder_path(folder, "file");
    g_autofree char *link = temp_folder_path(folder, "link");
    g_autofree char *second = temp_folder_path(folder, "second");

    (void)state;
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(symlink(link, second), 0);
    assert_true(orr_file_replace(second, "new", 3, NULL));
    assert_content(file, "new", 3);
    assert_true(orr_file_replace(second, "newer", 5, NULL));
    assert_content(file, "newer", 5);
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    assert_true(g_file_test(second, G_FILE_TEST_IS_SYMLINK));
    temp_folder_remove(folder, names);
}

static void links_in_a_circle_are_an_error(void **state)
{
    static const char *const names[] = {"link", NULL};
    char *folder = temp_folder_new();
    g_autofree char *link = temp_folder_path(folder, "link");
    g_autoptr(GError) error = NULL;

    (void)state;
    assert_int_equal(symlink("link", link), 0);
    assert_false(orr_file_replace(link, "new", 3, &error));
    assert_non_null(
        strstr(error->message, "Too many levels of symbolic links"));
    temp_folder_remove(folder, names);
}

static void a_draft_that_is_not_moved_leaves_nothing(void **state)
{
    static const char *const names[] = {NULL};
    char *folder = temp_folder_new();
    g_autofree char *path = temp_folder_path(folder, "file");
    struct orr_draft draft;

    (void)state;
    assert_true(orr_draft_open(&draft, path, NULL));
    assert_true(fputs("text", draft.file) >= 0);
    assert_true(orr_draft_finish(&draft, NULL));
    orr_draft_clear(&draft);
    temp_folder_remove(folder, names);
}

ORR_TESTS(file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced),
        cmocka_unit_test(a_new_file_gets_the_usual_rights),
        cmocka_unit_test(what_is_no_regular_file_stays),
        cmocka_unit_test(a_missing_folder_is_named),
        cmocka_unit_test(what_cannot_be_written_is_known_before),
        cmocka_unit_test(a_folder_that_cannot_be_made_is_known_before),
        cmocka_unit_test(the_target_of_a_link_is_replaced_and_the_link_stays),
        cmocka_unit_test(links_in_a_circle_are_an_error),
        cmocka_unit_test(a_draft_that_is_not_moved_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Folders that are written as a whole. */
#include "models/base/folder.h"

#include <glib/gstdio.h>

#include "models/base/error.h"
#include "tests/support/cmocka_all.h"

/* Begins the folder @path with one file. */
static void begin(struct orr_new_folder *folder, const char *path)
{
    g_autofree char *file = NULL;

    assert_true(orr_new_folder_begin(folder, path, NULL));
    file = g_build_filename(folder->draft, "file", NULL);
    assert_true(g_file_set_contents(file, "x", 1, NULL));
}

/* Removes the folder @path, which has nothing but that file. */
static void remove_folder(const char *path)
{
    g_autofree char *file = g_build_filename(path, "file", NULL);

    assert_int_equal(g_unlink(file), 0);
    assert_int_equal(g_rmdir(path), 0);
}

static void assert_refused(const char *path, const char *why)
{
    g_autofree char *message = g_strdup_printf("%s: %s", path, why);
    g_autoptr(GError) error = NULL;

    assert_false(orr_new_folder_check(path, &error));
    assert_true(g_error_matches(error, ORR_ERROR, ORR_ERROR_IO));
    assert_string_equal(error->message, message);
}

static void a_folder_has_its_name_at_the_end(void **state)
{
    g_autofree char *above = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_strconcat(above, "/new//", NULL);
    struct orr_new_folder folder;

    (void)state;
    begin(&folder, path);
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    assert_true(orr_new_folder_end(&folder, true, NULL));
    assert_refused(path, "the folder is not empty");
    remove_folder(path);
    assert_int_equal(g_rmdir(above), 0);
}

static void an_empty_folder_is_replaced(void **state)
{
    g_autofree char *path = g_dir_make_tmp("orrery-XXXXXX", NULL);
    struct orr_new_folder folder;

    (void)state;
    begin(&folder, path);
    assert_true(orr_new_folder_end(&folder, true, NULL));
    remove_folder(path);
}

static void nothing_is_left_of_what_fails(void **state)
{
    g_autofree char *above = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(above, "new", NULL);
    struct orr_new_folder folder;

    (void)state;
    begin(&folder, path);
    assert_false(orr_new_folder_end(&folder, false, NULL));
    assert_int_equal(g_rmdir(above), 0);
}

/* Somebody else was faster. */
static void a_folder_that_appears_meanwhile_stays(void **state)
{
    g_autofree char *above = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(above, "new", NULL);
    struct orr_new_folder folder, other;
    g_autoptr(GError) error = NULL;

    (void)state;
    begin(&folder, path);
    begin(&other, path);
    assert_true(orr_new_folder_end(&other, true, NULL));
    assert_false(orr_new_folder_end(&folder, true, &error));
    assert_true(g_str_has_prefix(error->message, path));
    remove_folder(path);
    assert_int_equal(g_rmdir(above), 0);
}

static void what_cannot_be_a_folder_is_an_error(void **state)
{
    g_autofree char *above = g_dir_make_tmp("orrery-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(above, "file", NULL);
    g_autofree char *below = g_build_filename(file, "new", NULL);

    (void)state;
    assert_true(g_file_set_contents(file, "x", 1, NULL));
    assert_refused(file, "not a folder");
    assert_refused(below, "Not a directory");
    assert_refused("no/such/folder", "No such file or directory");
    assert_refused(".", "not the name of a new folder");
    assert_refused("", "not the name of a new folder");
    remove_folder(above);
}

ORR_TESTS(folder)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_has_its_name_at_the_end),
        cmocka_unit_test(an_empty_folder_is_replaced),
        cmocka_unit_test(nothing_is_left_of_what_fails),
        cmocka_unit_test(a_folder_that_appears_meanwhile_stays),
        cmocka_unit_test(what_cannot_be_a_folder_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TEMP_FOLDER_H
#define ORR_TEMP_FOLDER_H

#include <glib/gstdio.h>

#include "tests/support/cmocka_all.h"

/* A new, empty folder; its path, for temp_folder_remove(). */
static inline char *temp_folder_new(void)
{
    char *folder = g_dir_make_tmp("orrery-XXXXXX", NULL);

    assert_non_null(folder);
    return folder;
}

/* The path of the file @name in @folder. Free with g_free(). */
static inline char *temp_folder_path(const char *folder, const char *name)
{
    return g_build_filename(folder, name, NULL);
}

/* Removes the folder with the files @names, NULL-terminated. Fails if there are
 * others. */
static inline void temp_folder_remove(char *folder, const char *const *names)
{
    for (; *names; names++) {
        g_autofree char *path = temp_folder_path(folder, *names);

        assert_int_equal(g_remove(path), 0);
    }
    assert_int_equal(g_rmdir(folder), 0);
    g_free(folder);
}

/* The state of a group of tests is the path of a folder. Each test removes the
 * files that it makes there. */
static inline int temp_folder_setup(void **state)
{
    *state = temp_folder_new();
    return 0;
}

static inline int temp_folder_teardown(void **state)
{
    static const char *const none[] = {NULL};

    temp_folder_remove(*state, none);
    return 0;
}

/* Removes the file @path and returns its content. Free with g_free(). Sets
 * *@size, unless it is NULL. */
static inline char *temp_file_take(const char *path, gsize *size)
{
    char *content = NULL;

    assert_true(g_file_get_contents(path, &content, size, NULL));
    assert_int_equal(g_remove(path), 0);
    return content;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TEMP_FILE_H
#define ORR_TEMP_FILE_H

#include <glib/gstdio.h>

#include "tests/support/cmocka_all.h"

/* A new file that holds @text; its name, for temp_file_remove(). */
static inline char *temp_file_new(const char *text, size_t size)
{
    char *path = NULL;
    int file = g_file_open_tmp("orrery-XXXXXX.xml", &path, NULL);

    assert_true(file >= 0);
    assert_true(g_close(file, NULL));
    assert_true(g_file_set_contents(path, text, (gssize)size, NULL));
    return path;
}

static inline void temp_file_remove(char *path)
{
    assert_int_equal(g_remove(path), 0);
    g_free(path);
}

/* A file of the source tree; owned. */
static inline char *source_file(const char *name)
{
    const char *root = g_getenv("abs_top_srcdir");

    return g_build_filename(root ? root : ".", name, NULL);
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FUZZ_FILE_H
#define ORR_FUZZ_FILE_H

#include <glib/gstdio.h>
#include <stdlib.h>

/* Writes a new file and returns its path: remove it, and free with g_free(). */
static inline char *fuzz_file_new(const void *content, size_t size)
{
    char *path = NULL;
    int file = g_file_open_tmp("orrery-fuzz-XXXXXX", &path, NULL);

    if (file < 0 || !g_close(file, NULL) ||
        !g_file_set_contents(path, content, (gssize)size, NULL))
        abort();
    return path;
}

static inline void fuzz_file_free(char *path)
{
    g_remove(path);
    g_free(path);
}

#endif

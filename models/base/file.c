/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "models/base/error.h"

/* Writes @content to @fd and closes it. Returns false with errno set. */
static bool write_new(int fd, const void *content, size_t size)
{
    FILE *file = fdopen(fd, "w");
    bool written;
    int reason;

    g_assert(file);
    written = fwrite(content, 1, size, file) == size;
    reason = errno;
    if (fclose(file) != 0)
        return false;
    errno = reason;
    return written;
}

static bool fail(const char *path, const char *why, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, why);
    return false;
}

bool orr_file_check(const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);

    if (g_file_test(path, G_FILE_TEST_EXISTS) &&
        !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return fail(path, "not a regular file", error);
    if (!*path || G_IS_DIR_SEPARATOR(path[strlen(path) - 1]))
        return fail(path, "not the name of a file", error);
    /* The file itself is replaced, so its permissions do not matter. */
    return g_access(folder, W_OK | X_OK) == 0 ||
           fail(path, g_strerror(errno), error);
}

bool orr_file_replace(const char *path, const void *content, size_t size,
                      GError **error)
{
    g_autofree char *temporary = g_strconcat(path, ".XXXXXX", NULL);
    int fd;

    if (!orr_file_check(path, error))
        return false;
    fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
    if (fd != -1 && write_new(fd, content, size) &&
        g_rename(temporary, path) == 0)
        return true;
    fail(path, g_strerror(errno), error);
    if (fd != -1)
        g_unlink(temporary);
    return false;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/base/folder.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "models/base/error.h"
#include "models/base/file.h"

static bool fail(const char *path, const char *why, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, why);
    return false;
}

char *orr_new_folder_name(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && G_IS_DIR_SEPARATOR(path[length - 1]))
        length--;
    return g_strndup(path, length);
}

static char *place_of(const char *path)
{
    g_autofree char *name = orr_new_folder_name(path);

    return orr_file_place(name);
}

char *orr_new_folder_parent(const char *path)
{
    g_autofree char *place = place_of(path);

    return g_path_get_dirname(place);
}

static bool is_empty(const char *place)
{
    GDir *dir = g_dir_open(place, 0, NULL);
    bool empty = dir && !g_dir_read_name(dir);

    g_clear_pointer(&dir, g_dir_close);
    return empty;
}

static bool check(const char *path, const char *place, GError **error)
{
    g_autofree char *name = g_path_get_basename(place);
    g_autofree char *above = g_path_get_dirname(place);
    GStatBuf status;

    if (!*path || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return fail(path, "not the name of a new folder", error);
    if (g_lstat(place, &status) == 0) {
        if (!S_ISDIR(status.st_mode))
            return fail(path, "not a folder", error);
        if (!is_empty(place))
            return fail(path, "the folder is not empty", error);
    } else if (errno != ENOENT) {
        return fail(path, g_strerror(errno), error);
    }
    return g_access(above, W_OK | X_OK) == 0 ||
           fail(path, g_strerror(errno), error);
}

bool orr_new_folder_check(const char *path, GError **error)
{
    g_autofree char *place = place_of(path);

    return check(path, place, error);
}

static void block_signals(sigset_t *before)
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t signals;

    sigemptyset(&signals);
    for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++)
        sigaddset(&signals, deadly[i]);
    pthread_sigmask(SIG_BLOCK, &signals, before);
}

bool orr_new_folder_begin(struct orr_new_folder *folder, const char *path,
                          GError **error)
{
    g_autofree char *above = NULL;

    *folder = (struct orr_new_folder){.path = path, .place = place_of(path)};
    block_signals(&folder->signals);
    if (!check(path, folder->place, error))
        return false;
    above = g_path_get_dirname(folder->place);
    folder->draft = g_build_filename(above, ".orrery-XXXXXX", NULL);
    if (g_mkdtemp_full(folder->draft, 0777))
        return true;
    fail(path, g_strerror(errno), error);
    g_clear_pointer(&folder->draft, g_free);
    return false;
}

/* Removes the temporary folder; its files are not folders. */
static void discard(const char *draft)
{
    GDir *dir = g_dir_open(draft, 0, NULL);
    const char *name;

    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(draft, name, NULL);

        g_unlink(file);
    }
    g_clear_pointer(&dir, g_dir_close);
    g_rmdir(draft);
}

bool orr_new_folder_end(struct orr_new_folder *folder, bool good,
                        GError **error)
{
    if (good && g_rename(folder->draft, folder->place) != 0)
        good = fail(folder->path, g_strerror(errno), error);
    if (!good && folder->draft)
        discard(folder->draft);
    g_free(folder->draft);
    g_free(folder->place);
    pthread_sigmask(SIG_SETMASK, &folder->signals, NULL);
    return good;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Replaces files as a whole (file.h). The new content is written to a file
 * without a name (O_TMPFILE), which is linked under a temporary name in the
 * folder of the target and renamed over it; where the file system cannot do
 * that, it is copied to such a name. The temporary name exists only for a
 * moment, while signals are blocked.
 */
#include "models/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "models/base/error.h"

/* Symbolic links that are followed; the kernel follows as many. */
enum { MAX_LINKS = 40 };

/* Attempts to find a name that no file has. */
enum { MAX_NAMES = 100 };

static bool fail(const char *path, const char *why, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);

    g_set_error(error, ORR_ERROR, ORR_ERROR_IO, "%s: %s", shown, why);
    return false;
}

/* Returns the path to which the link @path, with the content @target, points.
 */
static char *join(const char *path, const char *target)
{
    g_autofree char *folder = g_path_get_dirname(path);

    return g_path_is_absolute(target) ? g_strdup(target)
                                      : g_build_filename(folder, target, NULL);
}

char *orr_file_place(const char *path)
{
    char *place = g_strdup(path);

    for (unsigned i = 0; i < MAX_LINKS; i++) {
        g_autofree char *target = g_file_read_link(place, NULL);
        g_autofree char *link = place;

        if (!target)
            return g_steal_pointer(&link);
        place = join(link, target);
    }
    return place;
}

/* Fails as orr_file_check(). @place: @path, followed. */
static bool check(const char *path, const char *place, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(place);

    if (g_file_test(place, G_FILE_TEST_EXISTS) &&
        !g_file_test(place, G_FILE_TEST_IS_REGULAR))
        return fail(path, "not a regular file", error);
    if (g_file_test(place, G_FILE_TEST_IS_SYMLINK))
        return fail(path, g_strerror(ELOOP), error);
    if (!*place || G_IS_DIR_SEPARATOR(place[strlen(place) - 1]))
        return fail(path, "not the name of a file", error);
    /* The file itself is replaced, so its permissions do not matter. */
    return g_access(folder, W_OK | X_OK) == 0 ||
           fail(path, g_strerror(errno), error);
}

bool orr_file_check(const char *path, GError **error)
{
    g_autofree char *place = orr_file_place(path);

    return check(path, place, error);
}

static bool is_there(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) ||
           g_file_test(path, G_FILE_TEST_IS_SYMLINK);
}

/* Returns @path, or the first folder above it that is there. Free with
 * g_free(). */
static char *find_there(const char *path)
{
    char *found = g_strdup(path);

    while (!is_there(found)) {
        g_autofree char *below = found;

        found = g_path_get_dirname(below);
        if (strcmp(found, below) == 0)
            break;
    }
    return found;
}

bool orr_folder_check(const char *path, GError **error)
{
    g_autofree char *found = find_there(path);

    if (is_there(found) && !g_file_test(found, G_FILE_TEST_IS_DIR))
        return fail(path, g_strerror(ENOTDIR), error);
    return g_access(found, W_OK | X_OK) == 0 ||
           fail(path, g_strerror(errno), error);
}

/*
 * Opens a new file without a name in @folder. Returns -1 with errno. Network
 * file systems cannot do that: there a file is created and unlinked.
 */
static int open_nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    g_autofree char *name = NULL;

    if (fd != -1 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    name = g_build_filename(folder, ".orrery-XXXXXX", NULL);
    fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0666);
    if (fd != -1)
        g_unlink(name);
    return fd;
}

static bool open_in(struct orr_draft *draft, const char *folder, GError **error)
{
    int fd = open_nameless(folder);

    if (fd == -1)
        return fail(draft->path, g_strerror(errno), error);
    draft->file = fdopen(fd, "w");
    g_assert(draft->file);
    return true;
}

bool orr_draft_open(struct orr_draft *draft, const char *path, GError **error)
{
    g_autofree char *folder = NULL;

    *draft = (struct orr_draft){
        .path = g_strdup(path), .place = orr_file_place(path), .fd = -1};
    folder = g_path_get_dirname(draft->place);
    return check(path, draft->place, error) && open_in(draft, folder, error);
}

bool orr_draft_open_in(struct orr_draft *draft, const char *folder,
                       const char *path, GError **error)
{
    *draft = (struct orr_draft){
        .path = g_strdup(path), .place = g_strdup(path), .fd = -1};
    return open_in(draft, folder, error);
}

void orr_draft_check(struct orr_draft *draft)
{
    if (draft->reason == 0 && ferror(draft->file))
        draft->reason = errno;
}

bool orr_draft_finish(struct orr_draft *draft, GError **error)
{
    /* Some file systems notice a full disk only when a file is closed. */
    draft->fd = fcntl(fileno(draft->file), F_DUPFD_CLOEXEC, 0);
    if (draft->fd == -1 && draft->reason == 0)
        draft->reason = errno;
    if (fclose(draft->file) != 0 && draft->reason == 0)
        draft->reason = errno;
    draft->file = NULL;
    return draft->reason == 0 ||
           fail(draft->path, g_strerror(draft->reason), error);
}

/* Copies all of @from to @to. Returns false with errno. */
static bool copy(int from, int to)
{
    char buffer[1 << 14];
    ssize_t length;

    if (lseek(from, 0, SEEK_SET) != 0)
        return false;
    while ((length = read(from, buffer, sizeof(buffer))) > 0) {
        for (ssize_t done = 0, now; done < length; done += now) {
            now = write(to, buffer + done, (size_t)(length - done));
            if (now < 0)
                return false;
        }
    }
    return length == 0;
}

/* Returns a new name in @folder. Free with g_free(). */
static char *new_name(const char *folder)
{
    return g_strdup_printf("%s%c.orrery-%08x", folder, G_DIR_SEPARATOR,
                           g_random_int());
}

/* Gives the file @fd a name in @folder, and returns it; NULL with errno if the
 * file was unlinked, or /proc is missing. Free with g_free(). */
static char *name_by_link(int fd, const char *folder)
{
    g_autofree char *self = g_strdup_printf("/proc/self/fd/%d", fd);

    for (unsigned i = 0; i < MAX_NAMES; i++) {
        g_autofree char *name = new_name(folder);

        if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
            return g_steal_pointer(&name);
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

/* Copies @fd to a new file in @folder, and returns its name; NULL with errno.
 */
static char *name_by_copy(int fd, const char *folder)
{
    char *name = g_build_filename(folder, ".orrery-XXXXXX", NULL);
    int to = g_mkstemp_full(name, O_WRONLY | O_CLOEXEC, 0666);
    bool copied = to != -1 && copy(fd, to);
    int reason = errno;

    if (to != -1 && close(to) != 0 && copied) {
        copied = false;
        reason = errno;
    }
    if (copied)
        return name;
    if (to != -1)
        g_unlink(name);
    g_free(name);
    errno = reason;
    return NULL;
}

/* Moves the content of @fd to @place. Returns false with errno. */
static bool put(int fd, const char *place)
{
    g_autofree char *folder = g_path_get_dirname(place);
    g_autofree char *name = name_by_link(fd, folder);
    int reason;

    if (!name)
        name = name_by_copy(fd, folder);
    if (!name)
        return false;
    if (g_rename(name, place) == 0)
        return true;
    reason = errno;
    g_unlink(name);
    errno = reason;
    return false;
}

bool orr_draft_move(struct orr_draft *draft, GError **error)
{
    static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t signals, before;
    bool moved;
    int reason;

    /* The new file has a temporary name for a moment: signals wait for its
       end. */
    sigemptyset(&signals);
    for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++)
        sigaddset(&signals, deadly[i]);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    moved = put(draft->fd, draft->place);
    reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return moved || fail(draft->path, g_strerror(reason), error);
}

bool orr_draft_move_to(struct orr_draft *draft, const char *place,
                       GError **error)
{
    g_free(draft->place);
    draft->place = g_strdup(place);
    return orr_draft_move(draft, error);
}

void orr_draft_clear(struct orr_draft *draft)
{
    if (draft->file)
        fclose(draft->file);
    else if (draft->path && draft->fd != -1)
        close(draft->fd);
    g_free(draft->path);
    g_free(draft->place);
}

bool orr_file_replace(const char *path, const void *content, size_t size,
                      GError **error)
{
    struct orr_draft draft;
    bool replaced = false;

    if (orr_draft_open(&draft, path, error)) {
        fwrite(content, 1, size, draft.file);
        orr_draft_check(&draft);
        replaced =
            orr_draft_finish(&draft, error) && orr_draft_move(&draft, error);
    }
    orr_draft_clear(&draft);
    return replaced;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FILE_H
#define ORR_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Output files: all files that Orrery writes are written through this module. A
 * file is replaced as a whole, or stays as it was. If its path is a symbolic
 * link, the target of the link is replaced and the link stays. Functions fail
 * with ORR_ERROR_IO and a message that begins with the path.
 *
 * A path that exists and is not a regular file is refused, since a device would
 * be replaced by a file.
 */

/*
 * A file on its way to its final place. Until it is moved there it has no name,
 * so that nothing is left if the process dies, by whatever signal.
 */
struct orr_draft {
    FILE *file;  /* to write into; NULL: finished or not open */
    char *path;  /* as given; owned */
    char *place; /* the file that is replaced: no symbolic link; owned */
    int fd;      /* the content, once finished; -1: none */
    int reason;  /* errno of the first write that failed, or 0 */
};

bool orr_draft_open(struct orr_draft *draft, const char *path, GError **error);

/* As orr_draft_open(), but @path is in a folder that is not there yet. Until it
 * is moved, the draft is in @folder, which should be on the same file system.
 */
bool orr_draft_open_in(struct orr_draft *draft, const char *folder,
                       const char *path, GError **error);

/* Keeps the reason if a write to draft->file failed. To be called before errno
 * is lost. */
void orr_draft_check(struct orr_draft *draft);

/* Ends writing. Returns whether all of it reached the file system. */
bool orr_draft_finish(struct orr_draft *draft, GError **error);

/* Moves a finished draft to its place. */
bool orr_draft_move(struct orr_draft *draft, GError **error);

/* Moves a finished draft to @place. */
bool orr_draft_move_to(struct orr_draft *draft, const char *place,
                       GError **error);

/* Frees the draft; its content is lost unless it was moved. Allowed after a
 * failure of orr_draft_open(), and if all members are 0. */
void orr_draft_clear(struct orr_draft *draft);

/* Writes the @size bytes at @content to the file @path. */
bool orr_file_replace(const char *path, const void *content, size_t size,
                      GError **error);

/*
 * Returns whether orr_file_replace() can write @path; otherwise fails with its
 * error. Call it before a simulation whose results will be written. It does not
 * notice a full disk.
 */
bool orr_file_check(const char *path, GError **error);

/* Returns the path of the file that orr_file_replace() replaces: @path with its
 * last component, if it is a symbolic link, replaced by the target, which need
 * not exist. Free with g_free(). */
char *orr_file_place(const char *path);

/* As orr_file_check(), for files in the folder @path, which is made later if it
 * is not there. */
bool orr_folder_check(const char *path, GError **error);

#endif

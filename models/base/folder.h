/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FOLDER_H
#define ORR_FOLDER_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>

/*
 * A folder that is written as a whole: its files are made in a folder with a
 * temporary name beside it, which is renamed at the end. An existing folder is
 * replaced only if it is empty. Functions fail with ORR_ERROR_IO and a message
 * that begins with the path.
 *
 * HUP, INT, QUIT and TERM wait from orr_new_folder_begin() to the end, so that
 * they leave no folder behind.
 */
struct orr_new_folder {
    const char *path; /* as given; borrowed */
    char *place;      /* without slashes at its end, links followed; owned */
    char *draft;      /* the temporary folder, to write into; owned */
    sigset_t signals; /* the signals that were blocked before */
};

/* Returns whether the folder @path can be made. */
bool orr_new_folder_check(const char *path, GError **error);

/* Returns the folder in which the folder @path is made. Free with g_free(). */
char *orr_new_folder_parent(const char *path);

bool orr_new_folder_begin(struct orr_new_folder *folder, const char *path,
                          GError **error);

/* Gives the folder its name or, if not @good, removes it with the files in it;
 * then there is an @error already. To be called after orr_new_folder_begin(),
 * whether or not it failed. */
bool orr_new_folder_end(struct orr_new_folder *folder, bool good,
                        GError **error);

/* Returns @path without slashes at its end. Free with g_free(). */
char *orr_new_folder_name(const char *path);

#endif

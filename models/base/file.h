/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FILE_H
#define ORR_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Writes the @size bytes at @content to the file @path, which may exist. The
 * file is replaced as a whole; if that fails, it stays as it was.
 *
 * Returns false with ORR_ERROR_IO. It also refuses a path that exists and is
 * not a regular file, since renaming over a device would replace the device.
 */
bool orr_file_replace(const char *path, const void *content, size_t size,
                      GError **error);

/*
 * Returns whether orr_file_replace() can write @path; otherwise fails as it
 * does. Check before a simulation whose results will be written. A disk that is
 * full is noticed later.
 */
bool orr_file_check(const char *path, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_FILE_H
#define ORR_FILE_H

#include <glib.h>
#include <stdbool.h>

/*
 * Makes @size bytes at @content the whole of the file @path, new or not: it
 * is replaced as a whole or, when that fails, stays as it was.
 *
 * Returns false with ORR_ERROR_IO, also for what is there and no regular file:
 * renaming over a device or a folder would not do what was meant.
 */
bool orr_file_replace(const char *path, const void *content, size_t size,
                      GError **error);

#endif

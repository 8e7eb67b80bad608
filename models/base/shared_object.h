/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SHARED_OBJECT_H
#define ORR_SHARED_OBJECT_H

#include <glib.h>
#include <stdbool.h>

/*
 * Shared objects of plug-ins. A file is loaded once, however often and in
 * whichever threads it is opened, and stays loaded until the process ends. So
 * all runs of a campaign have the same code, even if the file is recompiled in
 * the meantime.
 */
struct orr_shared_object;

/*
 * Loads the file @path. Returns NULL with ORR_ERROR_IO if it cannot be read,
 * and with ORR_ERROR_VALUE if it is no shared object or lacks symbols. Free
 * with orr_shared_object_close(); NULL is allowed there.
 */
struct orr_shared_object *orr_shared_object_open(const char *path,
                                                 GError **error);

/* Loads the library @file of this project, "liborrery-starpu.so.0". Objects
 * that are opened later find its symbols. It lies beside the program or
 * library that calls, in its folder ../lib, or where the system finds
 * libraries. Fails with ORR_ERROR_IO. */
struct orr_shared_object *orr_shared_object_open_library(const char *file,
                                                         GError **error);

void orr_shared_object_close(struct orr_shared_object *object);

/* Returns the address of @symbol, or NULL if there is none. */
const void *orr_shared_object_find(const struct orr_shared_object *object,
                                   const char *symbol);

/* The path, as opened; borrowed. */
const char *orr_shared_object_path(const struct orr_shared_object *object);

/* Fails with ORR_ERROR_VALUE: "PATH: " and the formatted reason. */
bool orr_shared_object_refuse(const struct orr_shared_object *object,
                              GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif

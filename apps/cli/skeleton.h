/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SKELETON_H
#define ORR_SKELETON_H

#include <glib.h>
#include <stdbool.h>

/*
 * The skeleton of a policy in its own folder: the source, a Makefile that
 * builds a plug-in, and a test. The files in apps/cli/skeleton/ are compiled
 * into the program and written with another name.
 */
extern const char orr_skeleton_simple[];     /* simple.c */
extern const char orr_skeleton_concurrent[]; /* concurrent.c */
extern const char orr_skeleton_makefile[];   /* makefile.txt */
extern const char orr_skeleton_test[];       /* test.sh */

/*
 * Writes @name/@name.c, @name/Makefile and @name/test.sh. Fails with
 * ORR_ERROR_VALUE if @name is not valid for a policy or is the name of a
 * built-in one, and with ORR_ERROR_IO if a file or folder @name exists, which
 * is left unchanged, or a file cannot be written.
 */
bool orr_skeleton_write(const char *name, bool concurrent, GError **error);

#endif

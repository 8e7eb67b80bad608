/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SKELETON_H
#define ORR_SKELETON_H

#include <glib.h>
#include <stdbool.h>

/*
 * A policy to begin with, in a folder of its own: the source, a Makefile that
 * makes a plug-in of it, and a test. The files in apps/cli/skeleton/ are what
 * is written, with another name: they are compiled into the program.
 */
extern const char orr_skeleton_simple[];     /* simple.c */
extern const char orr_skeleton_concurrent[]; /* concurrent.c */
extern const char orr_skeleton_makefile[];   /* makefile.txt */
extern const char orr_skeleton_test[];       /* test.sh */

/*
 * Writes @name/@name.c, @name/Makefile and @name/test.sh. Fails with
 * ORR_ERROR_VALUE if that is no name for a policy or one that is built in has
 * it, and with ORR_ERROR_IO if there is something of that name already, which
 * is left as it is, or a file cannot be written.
 */
bool orr_skeleton_write(const char *name, bool concurrent, GError **error);

#endif

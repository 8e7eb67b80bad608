/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_SKELETON_H
#define ORR_SKELETON_H

#include <glib.h>
#include <stdbool.h>

#include "apps/cli/cmd.h"

/*
 * The skeleton of a plug-in in its own folder: the source, a Makefile that
 * builds it, and a test. The files in apps/cli/skeleton/ are compiled into the
 * program and written with another name.
 */
extern const char orr_skeleton_simple[];      /* simple.c */
extern const char orr_skeleton_concurrent[];  /* concurrent.c */
extern const char orr_skeleton_starpu[];      /* starpu.c */
extern const char orr_skeleton_policy_test[]; /* policy-test.sh */
extern const char orr_skeleton_app[];         /* app.c */
extern const char orr_skeleton_app_test[];    /* app-test.sh */
extern const char orr_skeleton_makefile[];    /* makefile.txt */
extern const char orr_skeleton_races[];       /* races.txt */

/* An interface: its headers and how a plug-in for it is named. */
struct orr_skeleton_interface {
    const char *module; /* of pkg-config */
    const char *folder; /* of that, in the build folder */
    const char *prefix; /* "starpu:" of "--sched starpu:./skeleton.so" */
};

extern const struct orr_skeleton_interface orr_skeleton_orrery; /* ours */

struct orr_skeleton {
    const char *kind; /* with its article: "a policy" */
    const struct orr_skeleton_interface *interface;
    const char *source; /* the texts of files above, as the next two */
    const char *test;
    const char *rules; /* more of the Makefile, or NULL */
    const char *use;   /* a command that uses the plug-in "./skeleton.so" */
    bool (*is_built_in)(const char *name);
};

/*
 * Writes @name/@name.c, @name/Makefile and @name/test.sh, and prints their
 * names; prints the error of @command if that fails. Returns the exit status:
 * wrong usage if @name is not valid or names a built-in one; failure if a file
 * or folder @name exists, which is left unchanged, or a file cannot be written.
 */
enum orr_exit orr_skeleton_write(const struct orr_skeleton *skeleton,
                                 const char *name, const char *command);

#endif

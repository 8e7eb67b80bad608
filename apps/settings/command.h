/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_COMMAND_H
#define ORR_COMMAND_H

#include "apps/settings/settings.h"

/*
 * Performs a command with at most one operand: reads the command line by
 * @syntax, calls @perform with the operand (NULL: not given) and prints its
 * error. Returns the exit status.
 *
 * If the operand is an APP, its options are read, listed in the help and
 * completed, too: those of the application that the line names or, if it names
 * none, of all applications that come with the program.
 * "-- PROGRAM ARGUMENT..." at the end is such a name.
 */
enum orr_exit orr_settings_command(
    const struct orr_syntax *syntax, int argc, char **argv,
    enum orr_exit (*perform)(const char *operand, struct orr_settings *settings,
                             GError **error));

/* Returns groups (struct orr_option_group *, owned by the array) of the options
 * of all applications that come with the program, and of programs of the user.
 * Free with
 * g_ptr_array_unref(). */
GPtrArray *orr_settings_app_groups(void);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_MESSAGE_H
#define ORR_MESSAGE_H

#include <glib.h>

/*
 * Output of a command beside its results: messages on the standard error, and
 * the exit status.
 */
enum orr_exit {
    ORR_EXIT_OK = 0,
    ORR_EXIT_FAILURE = 1,    /* the request failed */
    ORR_EXIT_USAGE = 2,      /* the request was not understood */
    ORR_EXIT_STALLED = 3,    /* the simulated program deadlocked or stalled */
    ORR_EXIT_LIVELOCKED = 4, /* the simulated program makes no progress, but
                                events occur forever */

    /* Plus the number of the signal that stopped the command early: complete
       results were reported. main() then ends by that signal, as shells
       expect. */
    ORR_EXIT_SIGNAL = 128,
};

/* Returns the status of a command that ends with @error: ORR_EXIT_USAGE for
 * ORR_ERROR_VALUE, as the user gave a wrong value, otherwise ORR_EXIT_FAILURE.
 */
enum orr_exit orr_exit_of(const GError *error);

/* Returns the status of a command that ends with @error while it searched for
 * something that the user named: ORR_EXIT_USAGE for ORR_ERROR_UNKNOWN,
 * otherwise ORR_EXIT_FAILURE. */
enum orr_exit orr_exit_of_name(const GError *error);

/*
 * Prints "orrery @command: ..." to the standard error, as one line: control
 * characters are replaced by "?". @command is "" for the program itself.
 */
void orr_message_print(const char *command, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

/* Prints a line of details that belongs to the message before it. */
void orr_message_detail(const char *format, ...) G_GNUC_PRINTF(1, 2);

#endif

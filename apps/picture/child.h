/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHILD_H
#define ORR_CHILD_H

#include <glib.h>
#include <stdbool.h>

/*
 * An external program that turns text into a picture, such as gnuplot or dot:
 * a child process that reads its standard input and writes its standard output.
 */
struct orr_child {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    const char *package;     /* the Debian package of the program */

    /* Limits, beyond which the program is killed. 0: the constants below. */
    size_t output_bytes;
    double time_s; /* real time */
};

#define ORR_CHILD_OUTPUT_BYTES ((size_t)64 << 20)
#define ORR_CHILD_TIME_S 120

/*
 * Returns whether the program is in the PATH; otherwise fails with
 * ORR_ERROR_UNKNOWN. Check before a simulation whose results will be drawn.
 */
bool orr_child_check(const struct orr_child *child, GError **error);

/*
 * Runs the program with the input @text and returns its output. Free with
 * g_bytes_unref().
 *
 * Returns NULL with ORR_ERROR_UNKNOWN if there is no such program, or with
 * ORR_ERROR_IO: with the first line of its messages if it fails or writes
 * nothing, or with the limit that it exceeds. The process must ignore SIGPIPE,
 * as the program may end before it has read everything.
 */
GBytes *orr_child_feed(const struct orr_child *child, const char *text,
                       GError **error);

#endif

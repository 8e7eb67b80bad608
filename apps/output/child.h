/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_CHILD_H
#define ORR_CHILD_H

#include <glib.h>
#include <stdbool.h>

/*
 * A program of somebody else's that turns text into a picture: gnuplot, dot.
 * It reads its standard input and writes its standard output.
 */
struct orr_child {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    const char *package;     /* of Debian, that has it */
};

/*
 * Whether there is such a program; otherwise ORR_ERROR_UNKNOWN. To be asked
 * before the work whose result is to be drawn.
 */
bool orr_child_check(const struct orr_child *child, GError **error);

/*
 * What the program makes of @text. To be freed with g_bytes_unref().
 *
 * Returns NULL with ORR_ERROR_UNKNOWN if it is not there, or ORR_ERROR_IO,
 * with the first thing that it said, if it fails or writes nothing.
 */
GBytes *orr_child_feed(const struct orr_child *child, const char *text,
                       GError **error);

#endif

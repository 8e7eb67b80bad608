/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_LINES_H
#define ORR_LINES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Reads lines "NAME WORD WORD ... TEXT" of a file that may be hostile. Errors
 * are ORR_ERROR_SYNTAX and begin with "PATH:LINE: ". After an error, every
 * function returns false, 0 or NULL: it suffices to check at the end.
 */
struct orr_lines {
    const char *path;        /* for messages; borrowed */
    const char *const *text; /* the lines; borrowed */
    guint count;
    unsigned first; /* number of the first line in the file */

    guint next;       /* line to be read */
    const char *rest; /* unread rest of the present line */
    GError **error;   /* receives the first error */
    bool failed;
};

/* Advances to the next line, which must begin with @name. */
bool orr_lines_next(struct orr_lines *lines, const char *name);

/* Whether the next line begins with @name; there may be none. */
bool orr_lines_is_next(const struct orr_lines *lines, const char *name);

/* The next word of the line as a number from 0 to @most. */
uint64_t orr_lines_number(struct orr_lines *lines, uint64_t most);

/* As orr_lines_number(), in hexadecimal digits. */
uint64_t orr_lines_hash(struct orr_lines *lines);

/* The next word as a number from 0 to 1. */
double orr_lines_share(struct orr_lines *lines);

/* The next word; free with g_free(). */
char *orr_lines_word(struct orr_lines *lines);

/* The rest of the line, which orr_lines_append_text() has made; free with
 * g_free(). */
char *orr_lines_text(struct orr_lines *lines);

/* Appends @text to @line, with control characters escaped. */
void orr_lines_append_text(GString *line, const char *text);

/* Sets the error for the present line. */
void orr_lines_fail(struct orr_lines *lines, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif

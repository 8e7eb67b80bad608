/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_TOKEN_REPORT_H
#define ORR_TOKEN_REPORT_H

#include <glib.h>

/* The path of a report of `orrery explore --ci` for the operand @path: itself,
 * or @path.json if there is no file @path. Free with g_free(). */
char *orr_token_report_path(const char *path);

/* Returns the first token in the report @text, JSON, and sets *@options to the
 * options for the files of its run: "--sched", "./mine.so", ..., NULL. Free
 * with g_free() and g_strfreev(). NULL with ORR_ERROR_SYNTAX; @path is for its
 * message. */
char *orr_token_report_read(const char *path, const char *text, char ***options,
                            GError **error);

#endif

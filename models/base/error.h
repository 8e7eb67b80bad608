/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ERROR_H
#define ORR_ERROR_H

#include <glib.h>
#include <stdarg.h>

#include "models/errors.h"

/* Misuse of an interface of ours is no error but a bug, which g_assert()
 * catches. */

/* The kind of @error, if a policy is to blame: "policy", "crash", "no-return",
 * "given-twice", "wrong-worker", "data-race", "check", "starvation",
 * "priority"; static. NULL: another error. */
const char *orr_error_policy_kind(const GError *error);

/* Sets @error to "PATH:LINE: " and the message; without "LINE:" if @line is 0.
 */
void orr_error_set_at(GError **error, enum orr_error code, const char *path,
                      unsigned line, const char *format, va_list arguments)
    G_GNUC_PRINTF(5, 0);

/* Appends to the message of *@error, unless @error or *@error is NULL. */
void orr_error_append(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICIES_H
#define ORR_POLICIES_H

#include <glib.h>
#include <stdbool.h>

/* Names of scheduling policies on the command line. */

/*
 * Whether there is a policy called @name; else ORR_ERROR_UNKNOWN, which lists
 * those that there are.
 */
bool orr_policies_check(const char *name, GError **error);

/*
 * The policies of @text, "a,b,c", or all of them for NULL. NULL-terminated, to
 * be freed with g_strfreev(); NULL, with the above error, if one is unknown.
 */
char **orr_policies_parse(const char *text, GError **error);

/* Whether one of the policies of @text, which exist, draws random numbers. */
bool orr_policies_draw(const char *text);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICIES_H
#define ORR_POLICIES_H

#include <glib.h>
#include <stdbool.h>

#include "apps/output/message.h"

/*
 * Names of scheduling policies on the command line: of built-in policies, of
 * plug-in files (sched/plugin.h), or "fixed:FILE".
 */

/*
 * Returns whether there is a policy called @name. Otherwise fails with
 * ORR_ERROR_UNKNOWN, whose message lists all names, or as orr_plugin_open()
 * does. If the policy is a plug-in, the program is protected from it from now
 * on (protection.h): call this before starting threads.
 */
bool orr_policies_check(const char *name, GError **error);

/* As orr_policies_check(), for the eviction policy @name; NULL: none. */
bool orr_policies_check_eviction(const char *name, GError **error);

/* Prints a notice for @command if a policy in @text, "a,b,c" or NULL, has an
 * old name. */
void orr_policies_remark(const char *text, const char *command);

/* Returns the file of the policy @name, which exists: of a plug-in, or of
 * "fixed:FILE"; NULL for the others. Free with g_free(). */
char *orr_policies_file(const char *name);

/*
 * Returns the names in @text, "a,b,c", or all built-in policies if @text is
 * NULL. NULL-terminated; free with g_strfreev(). Returns NULL, with the error
 * of orr_policies_check(), if one is unknown.
 */
char **orr_policies_parse(const char *text, GError **error);

/*
 * Returns the label in reports of each of @names, which must exist. A policy
 * with a file has its own name, followed by the file in brackets if another
 * policy of @names has the same. NULL-terminated; free with g_strfreev().
 */
char **orr_policies_label(char *const *names);

/*
 * Returns whether a policy in @text, "a,b,c", draws random numbers. All of them
 * must exist.
 */
bool orr_policies_are_random(const char *text);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_POLICIES_H
#define ORR_POLICIES_H

#include <glib.h>
#include <stdbool.h>

#include "apps/output/message.h"

/* Names of scheduling policies on the command line: those that are built in,
 * and files of others (sched/plugin.h). */

/*
 * Whether there is a policy called @name; else ORR_ERROR_UNKNOWN, which lists
 * those that there are, or what orr_plugin_open() says of the file. Where one
 * is from a file, the process catches its crashes (orr_guard_catch_signals()):
 * to be called before there are threads.
 */
bool orr_policies_check(const char *name, GError **error);

/* The exit status that suits such an error. */
enum orr_exit orr_policies_status(const GError *error);

/*
 * The policies of @text, "a,b,c", or all of them for NULL. NULL-terminated, to
 * be freed with g_strfreev(); NULL, with the above error, if one is unknown.
 */
char **orr_policies_parse(const char *text, GError **error);

/*
 * What reports call each of @names, which exist: a policy from a file by the
 * name that it has there, followed by the file in brackets if another one is
 * called the same. NULL-terminated, to be freed with g_strfreev().
 */
char **orr_policies_label(char *const *names);

/* Whether one of the policies of @text, which exist, draws random numbers. */
bool orr_policies_draw(const char *text);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROCESS_OPTIONS_H
#define ORR_PROCESS_OPTIONS_H

#include "runtime/config/app_values.h"

/* The options of a program of its own: see process_app.h. */

/* The option that has the arguments, quoted as for a shell, and the one that
 * `orrery shrink` reduces. */
#define ORR_PROCESS_ARGUMENTS "arguments"
#define ORR_PROCESS_SCALE "argument"

/* With the last one, which has no name. */
enum { ORR_PROCESS_OPTIONS = 9 };

/* Fills the table @options; @arguments, borrowed or NULL, is the preset. */
void orr_process_options_init(
    struct orr_app_option options[ORR_PROCESS_OPTIONS], const char *arguments);

/* orr_app.complete. */
bool orr_process_options_complete(struct orr_app_values *values,
                                  GError **error);

/*
 * The arguments of the program by completed @values: the argument behind
 * --shrink-by is replaced by the value of --argument. NULL-terminated; free
 * with g_strfreev(). NULL with ORR_ERROR_VALUE if the quotes do not match.
 */
char **orr_process_options_list(const struct orr_app_values *values,
                                GError **error);

/* The environment variables that liborrery-starpu reads, "NAME=VALUE" each,
 * NULL-terminated. Free with g_strfreev(). */
char **orr_process_options_environment(const struct orr_app_values *values);

/* A time limit in s from the text of option --time-limit. NULL, and a wrong
 * text: the usual limit. */
double orr_process_limit(const char *text);

/* Time in s that the program may take for a call. */
double orr_process_options_limit(const struct orr_app_values *values);

#endif

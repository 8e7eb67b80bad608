/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROCESS_APP_H
#define ORR_PROCESS_APP_H

#include "runtime/config/app_values.h"

/*
 * The application that is a program of its own, which uses StarPU's interface
 * (liborrery-starpu): its name is "-- " and the command line, quoted as for a
 * shell. For each run the program is started, and makes its calls over a socket
 * (runtime/remote/server.h). It waits in the middle of its tasks as it likes.
 */

/* Whether @name is a command line: "-- ./chol -nblocks 10". */
bool orr_process_is_command(const char *name);

/* Returns @word as part of a command line, in quotes only if it needs them.
 * Free with g_free(). */
char *orr_app_quote(const char *word);

/*
 * Starts the program, and waits until it says what it asks for, in
 * starpu_init(), at most for @limit (orr_process_limit()). Its first run
 * continues from there. Fails with ORR_ERROR_VALUE if the quotes do not match,
 * else as orr_process_start() and orr_remote_hello(). Runs in several threads
 * may share it. Free with orr_process_app_free(), after its values.
 */
const struct orr_app *orr_process_app_new(const char *name, const char *limit,
                                          GError **error);
void orr_process_app_free(const struct orr_app *app);

/* Whether @app is a program. */
bool orr_process_is_app(const struct orr_app *app);

/* The path of the program in the command line @name, looked up in PATH. Free
 * with g_free(). NULL with ORR_ERROR_VALUE if the quotes do not match. */
char *orr_process_path(const char *name, GError **error);

/* The arguments in the command line @name, quoted as for a shell; empty: none,
 * or the quotes do not match. Free with g_free(). */
char *orr_process_arguments(const char *name);

/* The command line, as given; borrowed. */
const char *orr_process_app_command(const struct orr_app *app);

/* See orr_app_config(). */
const char *const *orr_process_app_config(const struct orr_app *app);

/* See orr_app_config_with(). */
const char *const *
orr_process_app_config_with(const struct orr_app_values *values,
                            GError **error);

#endif

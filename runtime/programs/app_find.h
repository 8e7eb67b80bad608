/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_FIND_H
#define ORR_APP_FIND_H

#include "runtime/programs/graph_file.h"
#include "runtime/programs/programs.h"
#include "sched/guard/guard.h"

/* Applications by the name that a user gives: see orr_app_find(). */

/* Whether @name is a file, not the name of a built-in application: a graph, the
 * command line of a program, or a plug-in, with a slash or the ending ".so" in
 * its name. */
bool orr_app_name_is_file(const char *name);
bool orr_app_name_is_plugin(const char *name);

/* Whether @name is the command line of a program: "-- ./chol". */
bool orr_app_name_is_program(const char *name);

/* orr_app_find() with a watch, borrowed, that detects calls of a plug-in that
 * do not return; NULL: none; and the time limit of a program, as option
 * --time-limit gives it; NULL: the usual one. */
const struct orr_app *orr_app_open(const char *name,
                                   struct orr_guard_watch *watch,
                                   const char *limit, GError **error);

/* The file of @app, as given; borrowed. NULL: the application is built in. */
const char *orr_app_file(const struct orr_app *app);

/* The path of the file of the application called @name, which is a file. Free
 * with g_free(). NULL with @error: @name is no command line. */
char *orr_app_path(const char *name, GError **error);

/* The options that a program of StarPU asks for, "name=value" each; borrowed,
 * NULL-terminated. NULL for all other applications. */
const char *const *orr_app_config(const struct orr_app *app);

/* The same with the arguments in @values, for which the program is started if
 * it was opened with others: then it returns another list. NULL without @error
 * for all other applications. Fails as orr_app_find(). */
const char *const *orr_app_config_with(const struct orr_app_values *values,
                                       GError **error);

/* As orr_app_plugin_check(); true for all other applications. */
bool orr_app_check_calls(const struct orr_app *app, GError **error);

#endif

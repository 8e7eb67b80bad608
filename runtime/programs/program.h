/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRAM_H
#define ORR_PROGRAM_H

#include "runtime/programs/graph_file.h"
#include "runtime/programs/programs.h"
#include "sched/guard/guard.h"

/*
 * An application opened by a name that the user gives: a built-in one, the
 * graph in a file (graph_file.h), or a plug-in (ORR_APP_PLUGIN, orrery_app.h).
 *
 * The functions of a plug-in are called under a guard (guard.h). If a function
 * crashes, calls exit() or does not return, the call fails with ORR_ERROR_APP,
 * which names application, file and function.
 */
struct orr_program;

/* Whether @name is a file, not the name of a built-in application: a graph, or
 * a plug-in, with a slash or the ending ".so" in its name. */
bool orr_program_is_file(const char *name);
bool orr_program_is_plugin(const char *name);

/*
 * Opens the application @name. @watch detects calls that do not return;
 * borrowed; may be NULL.
 *
 * Fails as orr_app_find(); with ORR_ERROR_IO if the file cannot be read; with
 * ORR_ERROR_VALUE if it is not a plug-in, was compiled for another version, or
 * its table is wrong. Free with orr_program_close(), after the values of its
 * options; NULL is allowed there.
 */
struct orr_program *orr_program_open(const char *name,
                                     struct orr_guard_watch *watch,
                                     GError **error);
void orr_program_close(struct orr_program *program);

/* The table, with functions to be called directly, and the data argument for
 * orr_app_values_new(); both borrowed. */
const struct orr_app *orr_program_app(const struct orr_program *program);
const void *orr_program_data(const struct orr_program *program);

/* The name, as given; borrowed. */
const char *orr_program_name(const struct orr_program *program);

/* The file, as given; borrowed. NULL: the application is built in. */
const char *orr_program_file(const struct orr_program *program);

/*
 * Some functions (tasks, flops) have no error and return NAN if they crash.
 * Returns whether none has; otherwise copies the first error to @error.
 */
bool orr_program_check(struct orr_program *program, GError **error);

#endif

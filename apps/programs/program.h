/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROGRAM_H
#define ORR_PROGRAM_H

#include "apps/programs/graph_file.h"
#include "apps/programs/programs.h"
#include "sched/guard/guard.h"

/*
 * An application that was opened by the name that a user gives: one that comes
 * with the program, the graph of a file (graph_file.h), or a plug-in
 * (ORR_APP_PLUGIN, orrery_app.h).
 *
 * The functions of a plug-in are called under a guard (guard.h). One that
 * crashes, calls exit() or does not return is an error, with ORR_ERROR_APP,
 * that names application, file and function.
 */
struct orr_program;

/* Whether @name is the file of an application, not the name of one: of a graph,
 * or of a plug-in, which contains a slash or ends in ".so". */
bool orr_program_is_file(const char *name);
bool orr_program_is_plugin(const char *name);

/*
 * Opens the application @name. @watch, or NULL, notices calls that do not
 * return; it is borrowed.
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

/* The table, whose functions may be called as they are, and what values of its
 * options are made with (orr_app_values_new()); both borrowed. */
const struct orr_app *orr_program_app(const struct orr_program *program);
const void *orr_program_data(const struct orr_program *program);

/* The name, as given; borrowed. */
const char *orr_program_name(const struct orr_program *program);

/* The file, as given; borrowed. NULL: the application is built in. */
const char *orr_program_file(const struct orr_program *program);

/*
 * Whether no function that cannot fail (tasks, flops) has; otherwise copies the
 * first error to @error. Such a function returned NAN.
 */
bool orr_program_check(struct orr_program *program, GError **error);

#endif

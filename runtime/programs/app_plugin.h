/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_APP_PLUGIN_H
#define ORR_APP_PLUGIN_H

#include "runtime/orrery_app.h"
#include "sched/guard/guard.h"

/*
 * Applications in shared objects (ORR_APP_PLUGIN, orrery_app.h).
 *
 * The functions of a plug-in are called under a guard (guard.h). If a function
 * crashes, calls exit() or does not return, the call fails with ORR_ERROR_APP,
 * which names application, file and function.
 */

/*
 * Opens the plug-in in the file @path. @watch detects calls that do not return;
 * borrowed; may be NULL. Returns its table, with functions to be called
 * directly.
 *
 * Fails with ORR_ERROR_IO if the file cannot be read; with ORR_ERROR_VALUE if
 * it is not a plug-in, was compiled for another version, or its table is wrong.
 */
const struct orr_app *orr_app_plugin_open(const char *path,
                                          struct orr_guard_watch *watch,
                                          GError **error);

/* Whether @app is a table of orr_app_plugin_open(). */
bool orr_app_is_plugin(const struct orr_app *app);

/* The following are for such tables. */

/* To be called after the values of its options are freed. */
void orr_app_plugin_close(const struct orr_app *app);

/* The path, as given; borrowed. */
const char *orr_app_plugin_path(const struct orr_app *app);

/*
 * Some functions (tasks, flops) have no error and return NAN if they crash.
 * Returns whether none has; otherwise copies the first error to @error.
 */
bool orr_app_plugin_check(const struct orr_app *app, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PROTECTION_H
#define ORR_PROTECTION_H

#include "runtime/programs/app_find.h"
#include "sched/guard/guard.h"
#include "sched/plugin.h"

/*
 * Protects the program from plug-ins, policies and applications, which run in
 * its process. What one does wrong in a call is an error of that run (guard.h).
 * Wherever else a
 * plug-in crashes, calls exit() or does not return, the program ends with an
 * error that names it, and status 1:
 *
 *   - in the constructors of the file, while it is loaded, or in its table;
 *   - outside of calls of its functions, such as in a thread of its own, or in
 *     the program if it has overwritten memory;
 *   - in the destructors, when the program ends.
 *
 * Handlers of signals and exit() have no argument of ours, so their data are
 * global. A program without plug-ins has no handlers, and no thread for the
 * watch.
 */

/* Sets the name of the command, borrowed, for messages. To be called first. */
void orr_protection_begin(const char *command);

/* Sets the limit of a call in seconds; 0: none. May be called again. */
void orr_protection_limit(double limit_s);

/* As orr_plugin_open(), orr_evict_load() and orr_app_find(). To be called
 * while there is only one thread. */
struct orr_plugin *orr_protection_open_policy(const char *path, GError **error);
const struct orr_evict_ops *orr_protection_load_evict(const char *path,
                                                      GError **error);
const struct orr_app *
orr_protection_open_app(const char *name, const char *limit, GError **error);

/* The watch for orr_config.watch; NULL: there is no plug-in, or no limit. */
struct orr_guard_watch *orr_protection_watch(void);

/* To be called just before main() returns @status, when all is written. */
void orr_protection_end(int status);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLUGIN_H
#define ORR_PLUGIN_H

#include "sched/sched.h"

/*
 * Plug-ins: policies in shared objects, made with ORR_SCHED_PLUGIN (sched.h).
 * They stay loaded until the process ends (models/base/shared_object.h).
 */
struct orr_plugin;

/* Whether @name is of a plug-in, not of a built-in policy: a file, as it
 * contains a slash or ends in ".so"; or it begins with "starpu:"; or it is a
 * policy of the layer for StarPU's interface (sched.h), if that is installed.
 */
bool orr_plugin_is_named(const char *name);

/* The policies that have a name: the built-in ones, then further ones of the
 * layer. Number @i, from 0; NULL past the last one. */
const struct orr_sched_ops *orr_policy_named(unsigned i);

/* The built-in policy @name, as typed, or "fixed:FILE". NULL, with
 * ORR_ERROR_UNKNOWN and the names of all policies: there is none. */
const struct orr_sched_ops *orr_policy_choose(const char *name, GError **error);

/* Policies in StarPU's interface: "starpu:FILE" or "starpu:FILE:POLICY". */
#define ORR_PLUGIN_STARPU "starpu:"

/* The FILE of the plug-in @name, or NULL; g_free(). */
char *orr_plugin_file(const char *name);

/*
 * Loads the plug-in @path. Returns NULL with ORR_ERROR_IO if the file cannot be
 * read, and with ORR_ERROR_VALUE if it is not a plug-in, was compiled for
 * another version, or lacks a required function. Free with orr_plugin_close();
 * NULL is allowed there.
 */
struct orr_plugin *orr_plugin_open(const char *path, GError **error);
void orr_plugin_close(struct orr_plugin *plugin);

/* A run with the policy begins, and has ended. Waits until runs with other
 * policies of the same layer (sched.h) have ended; fails with ORR_ERROR_VALUE
 * if this thread has one. */
bool orr_plugin_begin(struct orr_plugin *plugin, GError **error);
void orr_plugin_end(struct orr_plugin *plugin);

/* The table of the policy, and the name of the plug-in as it was opened, NULL
 * if it has no file; both borrowed. */
const struct orr_sched_ops *orr_plugin_policy(const struct orr_plugin *plugin);
const char *orr_plugin_path(const struct orr_plugin *plugin);

#endif

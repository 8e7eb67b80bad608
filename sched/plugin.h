/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLUGIN_H
#define ORR_PLUGIN_H

#include "sched/sched.h"

/*
 * A policy in a file of its own: a shared object made with ORR_SCHED_PLUGIN
 * (sched.h).
 *
 * However often a file is opened, in whatever threads, it is loaded once and
 * stays as long as the process: all runs of a campaign have the same code, even
 * if somebody compiles the file anew in the meantime.
 */
struct orr_plugin;

/* Whether @name, where a policy is asked for, means a file: it has a slash in
 * it or ends in ".so". Names of policies have neither. */
bool orr_plugin_is_named(const char *name);

/*
 * Loads the policy in the file @path. Fails with ORR_ERROR_IO if the file
 * cannot be read, and with ORR_ERROR_VALUE if it is no plug-in, if it was
 * compiled for another version, or if its table lacks what is required. To be
 * closed with orr_plugin_close(); NULL is allowed there.
 */
struct orr_plugin *orr_plugin_open(const char *path, GError **error);
void orr_plugin_close(struct orr_plugin *plugin);

/* The policy, for as long as @plugin is open, and the @path it is from. */
const struct orr_sched_ops *orr_plugin_policy(const struct orr_plugin *plugin);
const char *orr_plugin_path(const struct orr_plugin *plugin);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_EVICT_REGISTRY_H
#define ORR_EVICT_REGISTRY_H

#include "sched/evict.h"

/* The built-in eviction policies, by name, and those in plug-ins. */

/* Least recently used first: it stands for the runtime's own eviction, and is
 * not called. */
extern const struct orr_evict_ops orr_evict_lru;

/* Checks that the table @ops has a name and the required function. Returns
 * false with ORR_ERROR_VALUE. */
bool orr_evict_check(const struct orr_evict_ops *ops, GError **error);

/* The built-in policy called @name, as typed (models/base/names.h), or NULL
 * with ORR_ERROR_UNKNOWN and all names. */
const struct orr_evict_ops *orr_evict_choose(const char *name, GError **error);

/* The @i-th built-in policy, by name, or NULL past the last. */
const struct orr_evict_ops *orr_evict_builtin(size_t i);

/* Whether @name is the file of a plug-in, not the name of a policy: it contains
 * a slash or ends in ".so". */
bool orr_evict_is_file(const char *name);

/*
 * Loads the eviction policy in the file @path, which stays loaded; the result
 * is borrowed. Returns NULL with ORR_ERROR_IO if the file cannot be read, and
 * with ORR_ERROR_VALUE if it is not a plug-in, was compiled for another
 * version, or lacks a required function.
 */
const struct orr_evict_ops *orr_evict_load(const char *path, GError **error);

#endif

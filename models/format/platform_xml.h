/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_XML_H
#define ORR_PLATFORM_XML_H

#include "models/platform/platform.h"

/*
 * Platform files: XML in the namespace-free vocabulary that
 * platforms/platform.rng defines and docs/PLATFORMS.md explains. Files may
 * come from strangers: no external entity is fetched, no entity is expanded
 * without bound, no figure is trusted.
 */

/*
 * Reads the file @path.
 *
 * Returns a platform to free with orr_platform_free(), or NULL with @error:
 *   ORR_ERROR_IO      @path cannot be read
 *   ORR_ERROR_SYNTAX  not XML, or not what the schema allows
 *   ORR_ERROR_VALUE   e.g. a route over a link that does not exist
 * The last two start with "path:line: ".
 */
struct orr_platform *orr_platform_read(const char *path, GError **error);

/*
 * Reads the platform called @name: "starpu:DIR:HOST" for a calibration (see
 * platform_starpu.h), a path if it contains a '/' or ends in ".xml", else
 * NAME.xml in one of @folders (NULL-terminated), the first that has it.
 *
 * Fails as orr_platform_read() does, and with ORR_ERROR_UNKNOWN, which lists
 * the names that there are.
 */
struct orr_platform *
orr_platform_load(const char *name, const char *const *folders, GError **error);

/*
 * The names of the platforms in @folders, sorted, without duplicates:
 * NULL-terminated, to be freed with g_strfreev(). Folders that do not exist
 * are passed over.
 */
char **orr_platform_names(const char *const *folders);

/*
 * Where platforms are looked up: NULL-terminated, owned by the library. The
 * source folder when the program runs from its build tree, else the installed
 * one.
 */
const char *const *orr_platform_folders(void);

#endif

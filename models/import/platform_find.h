/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_FIND_H
#define ORR_PLATFORM_FIND_H

#include "models/platform/platform.h"

/* Platforms by name. */

/*
 * Reads the platform called @name. "starpu:DIR:HOST" is a calibration of StarPU
 * (platform_starpu.h). A name that contains '/' or ends in ".xml" is the path
 * of a file. Any other is NAME.xml in the first of @folders (NULL-terminated;
 * NULL: orr_platform_folders()) that has it; case and blanks count only where
 * two names differ in nothing else (models/base/names.h).
 *
 * Errors are those of orr_platform_read(), and ORR_ERROR_UNKNOWN with the list
 * of known names.
 */
struct orr_platform *
orr_platform_load(const char *name, const char *const *folders, GError **error);

/* Whether @name is the path of a file or of a calibration. Otherwise it is
 * looked up in the folders of orr_platform_load() only. */
bool orr_platform_is_file(const char *name);

/*
 * The names of the platforms in @folders (NULL: as above), sorted,
 * without duplicates, NULL-terminated. Folders that do not exist are skipped.
 * Free with g_strfreev().
 */
char **orr_platform_names(const char *const *folders);

/* The environment variable with the folders, separated by ':'. */
#define ORR_PLATFORMS_VARIABLE "ORRERY_PLATFORMS"

/*
 * The folders of platforms: first @first (NULL-terminated, or NULL: none), then
 * the folders in the environment variable, then the folder of the source tree
 * if the program or the library is in a build tree, else the installed one.
 * NULL-terminated; free with g_strfreev().
 */
char **orr_platform_folders(const char *const *first);

#endif

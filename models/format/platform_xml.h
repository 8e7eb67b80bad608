/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_XML_H
#define ORR_PLATFORM_XML_H

#include "models/platform/platform.h"

/*
 * Reads platform files: XML without namespaces, in the vocabulary that
 * platforms/platform.rng defines and docs/PLATFORMS.md explains. Files may be
 * hostile: nothing is fetched, no entity is expanded without limit, and every
 * number is checked.
 */

/*
 * Reads the file @path.
 *
 * Returns a platform to free with orr_platform_free(), or NULL with @error:
 *   ORR_ERROR_IO      @path cannot be read
 *   ORR_ERROR_SYNTAX  not XML, or not allowed by the schema
 *   ORR_ERROR_VALUE   e.g. a route over a link that does not exist
 * The last two start with "path:line: ".
 */
struct orr_platform *orr_platform_read(const char *path, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_SAVE_H
#define ORR_PLATFORM_SAVE_H

#include "models/platform/platform.h"

/*
 * Writing platform files: what orr_platform_read() reads back as the same
 * platform, to the last bit of each figure.
 */

/*
 * Where a platform's figures come from, section by section, for people to
 * read. NULL, for all or for one, leaves it out.
 */
struct orr_platform_sources {
    const char *comment; /* about the whole file */
    const char *processors;
    const char *links;
    const char *routes;
    const char *pitch;
    const char *calibration;
    const char *overheads;
};

/* The text of a file for @platform. To be freed with g_free(). */
char *orr_platform_format(const struct orr_platform *platform,
                          const struct orr_platform_sources *sources);

/*
 * Writes that text to the file @path, which is replaced as a whole or, when
 * that fails, stays as it was.
 *
 * Returns false with ORR_ERROR_IO.
 */
bool orr_platform_save(const struct orr_platform *platform,
                       const struct orr_platform_sources *sources,
                       const char *path, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_SAVE_H
#define ORR_PLATFORM_SAVE_H

#include "models/platform/platform.h"

/*
 * Writes platform files, which orr_platform_read() reads back as the same
 * platform, to the last bit of each number.
 */

/*
 * Texts of a platform file for people: a comment, and the sources of the
 * figures of each section. NULL stands for the source in the platform, "" for
 * no source.
 */
struct orr_platform_sources {
    const char *comment; /* about the whole file */
    const char *processors;
    const char *links;
    const char *routes;
    const char *pitch;
    const char *calibration;
    const char *overheads;
    const char *power;
};

/* The text of the platform file of @platform; @sources may be NULL. Free with
 * g_free(). */
char *orr_platform_format(const struct orr_platform *platform,
                          const struct orr_platform_sources *sources);

/* Returns the SHA-256, as hexadecimal digits, of the machine that @platform
 * describes. It does not depend on the format of its file, nor on texts for
 * people. Free with g_free(). */
char *orr_platform_digest(const struct orr_platform *platform);

/*
 * Writes the text of orr_platform_format() to the file @path, which is replaced
 * as a whole or, on failure, not changed. NULL: to the standard output. Returns
 * false with ORR_ERROR_IO.
 */
bool orr_platform_save(const struct orr_platform *platform,
                       const struct orr_platform_sources *sources,
                       const char *path, GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_STARPU_H
#define ORR_PLATFORM_STARPU_H

#include "models/platform/platform.h"

/*
 * Reads machines that StarPU has calibrated. The folder, usually
 * ~/.starpu/sampling, holds for each HOST
 *
 *   bus/HOST.platform.v4.xml  processors, links and routes, for SimGrid; or
 *   bus/HOST.platform.xml     an older version of that file
 *   bus/HOST.bandwidth, bus/HOST.latency  measured copies, for policies
 *   codelets/45/SYMBOL.HOST   durations of the kernel that StarPU calls
 *                             SYMBOL; also codelets/44/ or codelets/
 *
 * The files of bus/ may also be in the folder itself. CPU cores and CUDA
 * devices are read; OpenCL devices and disks are skipped. docs/PLATFORMS.md
 * lists the kernel of each SYMBOL.
 *
 * Files may be hostile: sizes are limited, nothing is fetched, and every number
 * is checked.
 */

/* Prefix of platform names: "starpu:DIR:HOST". */
#define ORR_PLATFORM_STARPU "starpu:"

/*
 * Reads the calibration of @host in the folder @dir. The notes of the platform
 * say which parts were left out, and which figures contradict each other.
 *
 * Returns a platform called @host, to free with orr_platform_free(), or NULL
 * with @error:
 *   ORR_ERROR_UNKNOWN  @dir holds no calibration of @host
 *   ORR_ERROR_IO       a file cannot be read
 *   ORR_ERROR_SYNTAX   a file is not in the format that StarPU writes
 *   ORR_ERROR_VALUE    e.g. a negative duration
 * The last two start with "path:line: ".
 */
struct orr_platform *orr_platform_starpu_read(const char *dir, const char *host,
                                              GError **error);

/*
 * The file with the processors and links of @host, as a path relative to @dir:
 * "bus/attila.platform.v4.xml". NULL if there is none. Free with g_free().
 */
char *orr_platform_starpu_file(const char *dir, const char *host);

/* Reads the platform @name, which begins with ORR_PLATFORM_STARPU. */
struct orr_platform *orr_platform_starpu_load(const char *name, GError **error);

/* Return whether @symbol is StarPU's name of some known kernel, or of @kernel.
 */
bool orr_platform_starpu_knows(const char *symbol);
bool orr_platform_starpu_is(const char *symbol,
                            const struct orr_platform_kernel *kernel);

#endif

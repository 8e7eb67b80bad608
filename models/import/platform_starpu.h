/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_STARPU_H
#define ORR_PLATFORM_STARPU_H

#include "models/platform/platform.h"

/*
 * Machines as StarPU calibrated them: a folder, usually ~/.starpu/sampling,
 * that holds for each HOST
 *
 *   bus/HOST.platform.v4.xml  processors, links and routes, for SimGrid; or
 *   bus/HOST.platform.xml     the same in an older version
 *   bus/HOST.bandwidth, bus/HOST.latency  what policies believe of copies
 *   codelets/45/SYMBOL.HOST   durations of the kernel that StarPU calls
 *                             SYMBOL; also codelets/44/ or codelets/
 *
 * The files of bus/ may also lie in the folder itself. Taken are CPU cores
 * and CUDA devices; OpenCL devices and disks are not. docs/PLATFORMS.md says
 * which SYMBOL is which kernel.
 *
 * These files may come from strangers as ours may: sizes are bounded, nothing
 * is fetched, no figure is trusted.
 */

/* What --platform takes: "starpu:DIR:HOST". */
#define ORR_PLATFORM_STARPU "starpu:"

/*
 * Reads the calibration of @host in the folder @dir.
 *
 * Adds to @notes, unless it is NULL, a line about whatever was left out; the
 * lines are to be freed with g_free().
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
                                              GPtrArray *notes, GError **error);

/*
 * The file that orr_platform_starpu_read() takes the machine itself from, as
 * a path from @dir on: "bus/attila.platform.v4.xml". Owned; NULL if there is
 * none.
 */
char *orr_platform_starpu_file(const char *dir, const char *host);

/* Reads the platform @name, which begins with ORR_PLATFORM_STARPU. */
struct orr_platform *orr_platform_starpu_load(const char *name, GError **error);

/* Whether @symbol is what StarPU calls a kernel of ours, and whether @kernel.
 */
bool orr_platform_starpu_knows(const char *symbol);
bool orr_platform_starpu_is(const char *symbol,
                            const struct orr_platform_kernel *kernel);

#endif

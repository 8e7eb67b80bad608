/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_KERNEL_TIMES_H
#define ORR_KERNEL_TIMES_H

#include "models/platform/platform.h"

/*
 * Adds measured durations to a platform: the results of a benchmark of a
 * library. The file is CSV with a line of titles:
 *
 *   kernel, device, tile, precision, seconds   required
 *   family           of the kernel; @family if it is left out
 *   deviation        in seconds; 0 if left out
 *   count            of measurements behind the row; 1 if left out
 *
 * So a row is a sample, or a mean of several samples. Rows of the same kernel,
 * device, tile and precision are pooled. The device is CPU, GPU (all GPUs
 * alike) or the name of a GPU.
 *
 * The durations replace those of the same kernel, device, tile and precision,
 * and models of the kernel on that device; a note reports a replaced model.
 * @source is the origin of the figures, for the file.
 *
 * Returns false with @error, and @platform unchanged: ORR_ERROR_IO,
 * ORR_ERROR_SYNTAX or ORR_ERROR_VALUE, as "path:line: message".
 */
bool orr_kernel_times_add(struct orr_platform *platform, const char *path,
                          const char *family, const char *source,
                          GError **error);

#endif

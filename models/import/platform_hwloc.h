/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_HWLOC_H
#define ORR_PLATFORM_HWLOC_H

#include "models/platform/platform.h"

/*
 * Machines as hwloc sees them: cores and their sockets, GPUs with their
 * memory, and the PCI links and switches between them. Nobody measured
 * anything, so what comes out is marked as not calibrated:
 *
 *   memory   1 GiB where hwloc does not know the size of a GPU's
 *   links    bandwidth: the nominal speed of the PCI link as negotiated
 *            (hwloc, link speed of the device; an idle GPU may have lowered
 *            it), or that of PCIe 3.0 x16 where it is not known; latency: 10
 *            us, as StarPU measured on sirocco
 *   kernels  none
 *
 * A GPU has a link in each direction. A switch that several GPUs are behind
 * has a pair of links, too, which they share on their way to the host; copies
 * between them do not take it. All memory of the host is one node, whatever
 * its NUMA nodes. GPUs are those that CUDA, ROCm, OpenCL or Level Zero know,
 * and all of NVIDIA and AMD, in CUDA's order where it is known, else in that
 * of their buses. They are not said to be peers (that is a matter of drivers),
 * but there are routes between them for when they are.
 */

/*
 * Looks at the machine that this runs on, or, unless @path is NULL, at the one
 * in that XML file (`lstopo --of xml`).
 *
 * Adds to @notes, unless it is NULL, a line about whatever was left out or
 * guessed; the lines are to be freed with g_free().
 *
 * Returns a platform to free with orr_platform_free(), or NULL with @error:
 *   ORR_ERROR_IO      the file cannot be read, or hwloc sees nothing
 *   ORR_ERROR_SYNTAX  it is not in hwloc's format: "path:line: ..."
 *   ORR_ERROR_VALUE   a machine that no platform can be: without cores, with
 *                     more GPUs than cores to drive them
 */
struct orr_platform *orr_platform_hwloc_read(const char *path, GPtrArray *notes,
                                             GError **error);

#endif

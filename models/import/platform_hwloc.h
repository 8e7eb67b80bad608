/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_HWLOC_H
#define ORR_PLATFORM_HWLOC_H

#include "models/platform/platform.h"

/*
 * Makes platforms from the description of a machine by hwloc: cores and
 * sockets, GPUs with their memory, and the PCI links and switches between them.
 * Nothing is measured, so these parts are marked as not calibrated:
 *
 *   memory   1 GiB for GPUs whose size hwloc does not know
 *   links    bandwidth: the negotiated nominal speed of the PCI link (hwloc's
 *            link speed of the device; an idle GPU may have lowered it), or
 *            the speed of PCIe 3.0 x16 if unknown; latency: 10 us, as StarPU
 *            measured on sirocco
 *   kernels  none
 *
 * Each GPU has a link in each direction. So has a switch with several GPUs
 * behind it; they share these links on the way to the host, but not for copies
 * among themselves. All NUMA nodes of the host are one memory node. GPUs are
 * the devices known to CUDA, ROCm, OpenCL or Level Zero, and all devices of
 * NVIDIA and AMD. They are in the order of CUDA if known, else of their buses.
 * They are not marked as peers, which depends on drivers, but there are routes
 * between them in case they are.
 */

/*
 * Reads the XML file @path (`lstopo --of xml`), or detects the present machine
 * if @path is NULL.
 *
 * Adds to @notes, unless it is NULL, a line about each part that was left out
 * or guessed. Free the lines with g_free().
 *
 * Returns a platform to free with orr_platform_free(), or NULL with @error:
 *   ORR_ERROR_IO      the file cannot be read, or hwloc sees nothing
 *   ORR_ERROR_SYNTAX  it is not in hwloc's format: "path:line: ..."
 *   ORR_ERROR_VALUE   a platform cannot describe the machine: it has no cores,
 *                     or more GPUs than cores
 */
struct orr_platform *orr_platform_hwloc_read(const char *path, GPtrArray *notes,
                                             GError **error);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HWLOC_LINKS_H
#define ORR_HWLOC_LINKS_H

#include "models/import/hwloc_xml.h"
#include "models/platform/platform.h"

/*
 * Adds the links and routes of all GPUs to @platform, which has the GPUs
 * already (see platform_hwloc.h). @gpus holds their objects in @hwloc, in
 * order. Returns the number of links whose bandwidth hwloc does not know.
 */
unsigned orr_hwloc_links(const struct orr_hwloc *hwloc, const unsigned *gpus,
                         struct orr_platform *platform);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_HWLOC_LINKS_H
#define ORR_HWLOC_LINKS_H

#include "models/import/hwloc_xml.h"
#include "models/platform/platform.h"

/*
 * Gives @platform, which has its GPUs, their links and routes: see
 * platform_hwloc.h. @gpus: their objects in @hwloc, in order. Returns how many
 * links have a bandwidth that hwloc did not know.
 */
unsigned orr_hwloc_links(const struct orr_hwloc *hwloc, const unsigned *gpus,
                         struct orr_platform *platform);

#endif

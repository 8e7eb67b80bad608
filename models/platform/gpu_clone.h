/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GPU_CLONE_H
#define ORR_GPU_CLONE_H

#include "models/platform/platform.h"

/*
 * Links and routes of an added GPU that is a clone of the last one. Private to
 * platform_resize.h.
 */
#define ORR_NO_NODE G_MAXUINT

/*
 * The neighbour of GPU @node: among the GPUs before it, the one that shares
 * most links with it on the way to and from RAM. On a tie, the last one.
 * ORR_NO_NODE if there is no GPU before it.
 */
unsigned orr_gpu_clone_neighbour(const struct orr_platform *platform,
                                 unsigned node);

/*
 * Gives the last node of @platform, which must have no routes yet, links and
 * routes like those of the node before it.
 */
void orr_gpu_clone_connect(struct orr_platform *platform);

#endif

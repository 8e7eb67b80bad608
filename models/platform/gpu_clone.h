/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GPU_CLONE_H
#define ORR_GPU_CLONE_H

#include "models/platform/platform.h"

/*
 * Inside of platform_resize.h: the links and routes of a GPU that is the last
 * one once again.
 */
#define ORR_NO_NODE G_MAXUINT

/*
 * Of the GPUs before @node, that which shares most links with it on the way
 * from and to RAM, the last of several; ORR_NO_NODE if there is none.
 */
unsigned orr_gpu_clone_neighbour(const struct orr_platform *platform,
                                 unsigned node);

/*
 * Gives the last node of @platform, which has no routes yet, routes like those
 * of the node before it.
 */
void orr_gpu_clone_connect(struct orr_platform *platform);

#endif

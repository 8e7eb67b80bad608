/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_RESIZE_H
#define ORR_PLATFORM_RESIZE_H

#include "models/platform/platform.h"

/*
 * A machine with more or fewer GPUs than its file has.
 *
 * An added GPU is a clone of the last one: model, memory, durations of kernels,
 * predictions of copies, and routes. Links that only the last GPU uses (its
 * slot, and the switch port if it has the port to itself) are copied for the
 * new one. Links that it shares with others are shared with the new one, too.
 * The routes between the two are like those between the last GPU and its
 * neighbour, the GPU with which it shares most links.
 */

/*
 * Adds GPUs until there are @gpus, and CPU cores until there are @cores and at
 * least one for each GPU. If the platform states sockets, each gets the same
 * number of cores. Returns false with ORR_ERROR_VALUE if there is no GPU to
 * clone, or a platform file could not have so many.
 */
bool orr_platform_grow(struct orr_platform *platform, unsigned gpus,
                       unsigned cores, GError **error);

/*
 * Removes all but the first @gpus GPUs (<= gpu_count), the links that no route
 * uses any more, and all but @cores cores (>= @gpus). If the platform states
 * sockets, all cores stay, as the others would be on other sockets.
 */
void orr_platform_shrink(struct orr_platform *platform, unsigned gpus,
                         unsigned cores);

#endif

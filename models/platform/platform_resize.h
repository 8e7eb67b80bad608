/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_PLATFORM_RESIZE_H
#define ORR_PLATFORM_RESIZE_H

#include "models/platform/platform.h"

/*
 * A machine with more or fewer GPUs than its file has.
 *
 * A GPU more is the last one once again: its model and memory, what kernels
 * take on it, what is believed of its copies, its routes. Links that only
 * this GPU uses (its slot, and the switch port if it has the port to itself)
 * are repeated for the new one; those that it shares, it shares with the new
 * one, too. The routes between the two are like those between the last GPU
 * and its nearest neighbour, the GPU with which it shares most links.
 */

/*
 * Adds GPUs until there are @gpus, and CPU cores until there are @cores, but
 * at least one for each GPU; where sockets are stated, one more core on each
 * at a time. Returns false with ORR_ERROR_VALUE when there is no GPU to
 * repeat, or there would be more than a file may have.
 */
bool orr_platform_grow(struct orr_platform *platform, unsigned gpus,
                       unsigned cores, GError **error);

/*
 * Keeps the first @gpus GPUs (<= gpu_count), with the links that they use,
 * and @cores cores (>= @gpus, <= cores; all of them where sockets are stated,
 * for what is left would be on other ones).
 */
void orr_platform_shrink(struct orr_platform *platform, unsigned gpus,
                         unsigned cores);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_PACKING_H
#define ORR_STARPU_PACKING_H

#include <starpu.h>

#include <stdint.h>

/*
 * Hierarchical fair packing. Each task is a package at first. Again and again,
 * packages with the fewest tasks are merged with the one with which they have
 * the most bytes in common: while there are such pairs, only if the data of
 * both fit @memory together. It ends when @parts packages are left. Of two
 * merged packages, each may be reversed, so that the ends that meet share the
 * most data.
 */

/* Fills @order with the indices of @tasks, of which there are @count, package
 * by package, and @ends with the number of tasks up to the end of each of
 * @parts packages. */
void sp_pack(struct starpu_task **tasks, unsigned count, uint64_t memory,
             unsigned parts, unsigned *order, unsigned *ends);

#endif

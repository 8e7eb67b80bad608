/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_ARCH_H
#define ORR_ARCH_H

#include <starpu_perfmodel.h>

#include <orrery.h>

/*
 * Architectures, for which models have times: all cores together, and each GPU
 * for itself. StarPU numbers them in the order in which they are asked for;
 * here they are numbered as the memories: the cores have 0, GPU g has g + 1.
 */
enum { SP_ARCHS = STARPU_MAXNODES };

struct starpu_perfmodel_arch *sp_arch(unsigned number);

/* The number of the architecture of @worker. */
unsigned sp_arch_of_worker(unsigned worker);

/* Some worker of @arch; -1: no worker of the session is of it. */
int sp_worker_of_arch(const struct starpu_perfmodel_arch *arch);

#endif

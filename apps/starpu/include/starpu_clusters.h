/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CLUSTERS_H
#define ORR_STARPU_CLUSTERS_H

/* The name in StarPU 1.3 of this header: */
#include <starpu_parallel_worker.h>

#endif

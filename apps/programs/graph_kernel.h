/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_GRAPH_KERNEL_H
#define ORR_GRAPH_KERNEL_H

#include "runtime/orrery.h"

/*
 * Finds the calibration of a kernel of a graph in a run: @symbol is a name of
 * StarPU ("chol_model_gemm", "dtrsm"), or "family/name", or
 * "family/name/double"; @bytes are the sizes of all its data, which tell the
 * size of its tiles.
 *
 * Returns NULL if the machine of the run has no such kernel, or not at this
 * size. That is no error.
 */
struct orr_kernel *orr_graph_kernel_find(struct orr_run *run,
                                         const char *symbol,
                                         const uint64_t *bytes, unsigned count);

#endif

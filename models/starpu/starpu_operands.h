/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_OPERANDS_H
#define ORR_STARPU_OPERANDS_H

#include "models/platform/platform.h"

/*
 * Finds the kernel of a task from its symbol and the bytes of all its operands,
 * as StarPU finds the entry of a performance model from a task's footprint.
 *
 * The symbol is one of
 *
 *   a name of StarPU or Chameleon   "chol_model_gemm", "dgemm": family, name,
 *                                   precision and operands are in the table
 *                                   of starpu_symbols.h
 *   "FAMILY/NAME"                   in either precision, or
 * "FAMILY/NAME/single" or "FAMILY/NAME/double". Operands as in the table, or
 * else tiles another name                    a codelet of the user, which works
 * on tiles: ORR_STARPU_FAMILY
 *
 * The operands must be the square tiles, slabs and factors of that kernel, all
 * of one tile size: "chol_model_gemm" has three operands of 3686400 bytes at
 * tile 960. Operands of QR may also be the data that Orrery's application qr
 * registers (runtime/programs/qr_graph.h): halves of tiles, and no workspaces.
 */
struct orr_starpu_task {
    const char *symbol;
    const uint64_t *bytes; /* of each operand, in order */
    unsigned count;        /* of operands */
    uint32_t footprint;    /* StarPU's hash of the operands; 0: not known */
};

/* Is called with the kernels that the task may run. */
struct orr_starpu_visitor {
    /* Returns true to accept the kernel and stop. */
    bool (*visit)(void *data, const char *family, const char *name,
                  enum orr_precision precision, unsigned tile);
    void *data;
};

/*
 * Calls @visitor with each kernel and tile size that fit @task, in the order of
 * the table, single precision first, until it returns true. Returns false if it
 * never does.
 */
bool orr_starpu_visit_kernels(const struct orr_starpu_task *task,
                              const struct orr_starpu_visitor *visitor);

/*
 * The same for the kernels of @platform that were measured for @symbol, a name
 * of StarPU or Chameleon, on operands of this @footprint, in the order of the
 * platform.
 */
bool orr_starpu_visit_footprint(const struct orr_platform *platform,
                                const char *symbol, uint32_t footprint,
                                const struct orr_starpu_visitor *visitor);

/* What @platform has durations of for the codelet @symbol, for messages: "tiles
 * of 320, 960; the footprints 49ec0825, ...". NULL: nothing. Free with
 * g_free(). */
char *orr_starpu_list_calibrated(const struct orr_platform *platform,
                                 const char *symbol);

#endif

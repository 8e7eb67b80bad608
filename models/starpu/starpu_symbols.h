/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SYMBOLS_H
#define ORR_STARPU_SYMBOLS_H

#include "models/platform/platform.h"

/*
 * Kernels and the names that StarPU's performance models ("symbols") have for
 * them, in StarPU's examples and in Chameleon. One symbol may be a kernel of
 * several applications: Chameleon has one gemm for all.
 */
struct orr_starpu_symbol {
    const char *symbol; /* '?' stands for s or d, the precision */
    const char *family;
    const char *name;
    const char *operands; /* see starpu_shape.h */
    bool halved;          /* the kernel takes half of the symbol's durations */
};

/* The kernels, by family. If several symbols are the same kernel, the first
 * that has durations counts. */
extern const struct orr_starpu_symbol orr_starpu_symbols[];
extern const unsigned orr_starpu_symbol_count;

/* Family of the codelets that are not in the table; their symbol is the name
 * of the kernel. */
#define ORR_STARPU_FAMILY "starpu"

/* The name of @symbol in @precision, to free with g_free(); NULL if it has
 * none: a name without '?' exists in single precision only. */
char *orr_starpu_symbol_name(const struct orr_starpu_symbol *symbol,
                             enum orr_precision precision);

/* The name that StarPU has for a kernel, to free with g_free(); NULL: none. */
char *orr_starpu_symbol_of(const char *family, const char *kernel,
                           enum orr_precision precision);

/* The name of the kernel, of that family, of entries of @symbol that no other
 * kernel has: "SYMBOL.HASH", with the footprint in 8 digits. It has one size,
 * "tile" ORR_STARPU_FOOTPRINT_TILE. Free with g_free(). */
#define ORR_STARPU_FOOTPRINT_TILE 1u
char *orr_starpu_footprint_name(const char *symbol, uint32_t footprint);

/* The reverse: the symbol in @name, and its footprint; NULL: there is none in
 * it. Free with g_free(). */
char *orr_starpu_footprint_symbol(const char *name, uint32_t *footprint);

/* Whether @name is a symbol of the table, in either precision. */
bool orr_starpu_symbol_knows(const char *name);

#endif

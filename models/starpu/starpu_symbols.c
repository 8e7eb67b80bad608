/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/starpu/starpu_symbols.h"

#include <string.h>

/*
 * Up to version 1.3, StarPU's Cholesky had no syrk: it called gemm
 * (chol_model_22) instead, with twice the operations. When syrk got its own
 * symbol, StarPU's calibrations derived it from gemm by halving the means.
 */
const struct orr_starpu_symbol orr_starpu_symbols[] = {
    {"chol_model_potrf", "cholesky", "potrf", "S", false},
    {"chol_model_11", "cholesky", "potrf", "S", false},
    {"?potrf", "cholesky", "potrf", "S", false},
    {"chol_model_trsm", "cholesky", "trsm", "SS", false},
    {"chol_model_21", "cholesky", "trsm", "SS", false},
    {"?trsm", "cholesky", "trsm", "SS", false},
    {"chol_model_syrk", "cholesky", "syrk", "SS", false},
    {"chol_model_22", "cholesky", "syrk", "SSS", true},
    {"?syrk", "cholesky", "syrk", "SS", false},
    {"chol_model_gemm", "cholesky", "gemm", "SSS", false},
    {"chol_model_22", "cholesky", "gemm", "SSS", false},
    {"?gemm", "cholesky", "gemm", "SSS", false},
    {"starpu_?lu_lu_model_getrf", "lu", "getrf", "S", false},
    {"starpu_?lu_lu_model_11", "lu", "getrf", "S", false},
    {"?getrf_nopiv", "lu", "getrf", "S", false},
    {"starpu_?lu_lu_model_trsm_ll", "lu", "trsm_ll", "SS", false},
    {"starpu_?lu_lu_model_12", "lu", "trsm_ll", "SS", false},
    {"?trsm", "lu", "trsm_ll", "SS", false},
    {"starpu_?lu_lu_model_trsm_ru", "lu", "trsm_ru", "SS", false},
    {"starpu_?lu_lu_model_21", "lu", "trsm_ru", "SS", false},
    {"?trsm", "lu", "trsm_ru", "SS", false},
    {"starpu_?lu_lu_model_gemm", "lu", "gemm", "SSS", false},
    {"starpu_?lu_lu_model_22", "lu", "gemm", "SSS", false},
    {"?gemm", "lu", "gemm", "SSS", false},
    {"starpu_?gemm_gemm", "gemm", "gemm", "SSS", false},
    {"?gemm", "gemm", "gemm", "SSS", false},
    {"starpu_?gemm_gemm", "gemm", "gemm_2d", "LRS", false},
    {"?geqrt", "qr", "geqrt", "STW", false},
    {"?ormqr", "qr", "ormqr", "STSW", false},
    {"?tpqrt", "qr", "tpqrt", "SSTW", false},
    {"?tpmqrt", "qr", "tpmqrt", "STSSW", false},
};

const unsigned orr_starpu_symbol_count = G_N_ELEMENTS(orr_starpu_symbols);

char *orr_starpu_symbol_name(const struct orr_starpu_symbol *symbol,
                             enum orr_precision precision)
{
    char *name;
    char *letter;

    if (!strchr(symbol->symbol, '?') && precision != ORR_SINGLE)
        return NULL;
    name = g_strdup(symbol->symbol);
    letter = strchr(name, '?');
    if (letter)
        *letter = precision == ORR_SINGLE ? 's' : 'd';
    return name;
}

/* Whether @name is the name of @symbol, with s or d in place of '?'. */
static bool is_name(const struct orr_starpu_symbol *symbol, const char *name,
                    enum orr_precision precision)
{
    g_autofree char *own = orr_starpu_symbol_name(symbol, precision);

    return own && strcmp(own, name) == 0;
}

bool orr_starpu_symbol_knows(const char *name)
{
    for (unsigned i = 0; i < orr_starpu_symbol_count; i++) {
        if (is_name(&orr_starpu_symbols[i], name, ORR_SINGLE) ||
            is_name(&orr_starpu_symbols[i], name, ORR_DOUBLE))
            return true;
    }
    return false;
}

char *orr_starpu_footprint_name(const char *symbol, uint32_t footprint)
{
    return g_strdup_printf("%s.%08" G_GINT32_MODIFIER "x", symbol, footprint);
}

char *orr_starpu_footprint_symbol(const char *name, uint32_t *footprint)
{
    const char *dot = strrchr(name, '.');
    char *end;

    if (!dot || strlen(dot + 1) != 8)
        return NULL;
    *footprint = (uint32_t)g_ascii_strtoull(dot + 1, &end, 16);
    return *end ? NULL : g_strndup(name, (size_t)(dot - name));
}

char *orr_starpu_symbol_of(const char *family, const char *kernel,
                           enum orr_precision precision)
{
    char *name = NULL;

    for (unsigned i = 0; !name && i < orr_starpu_symbol_count; i++) {
        const struct orr_starpu_symbol *symbol = &orr_starpu_symbols[i];

        if (strcmp(symbol->family, family) == 0 &&
            strcmp(symbol->name, kernel) == 0)
            name = orr_starpu_symbol_name(symbol, precision);
    }
    return name;
}

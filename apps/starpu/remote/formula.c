/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that find kernels by formulas. */
#include "apps/starpu/remote/link.h"

struct orr_kernel *sp_ask_kernel_of_size(struct orr_run *run,
                                         const char *symbol, uint32_t footprint,
                                         uint64_t bytes,
                                         enum orr_formula formula,
                                         GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_find_size);
    sp_put_text(symbol);
    sp_put(footprint);
    sp_put(bytes);
    sp_put(formula);
    return sp_ask_kernel(error);
}

struct orr_kernel *sp_ask_kernel_of_terms(struct orr_run *run,
                                          const char *symbol,
                                          uint32_t footprint,
                                          const double *terms, unsigned count,
                                          GError **error)
{
    (void)run;
    sp_begin(ORR_REMOTE_kernel_find_terms);
    sp_put_text(symbol);
    sp_put(footprint);
    sp_put(count);
    orr_packet_put_bytes(&sp_link.out, terms, count * sizeof(*terms));
    return sp_ask_kernel(error);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MIC_H
#define ORR_STARPU_MIC_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Of StarPU 1.3. */
typedef void *starpu_mic_func_symbol_t;
int starpu_mic_register_kernel(starpu_mic_func_symbol_t *symbol,
                               const char *name);
void (*starpu_mic_get_kernel(starpu_mic_func_symbol_t symbol))(void **, void *);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_MPI_MS_H
#define ORR_STARPU_MPI_MS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Of StarPU 1.3. */
typedef void *starpu_mpi_ms_func_symbol_t;
int starpu_mpi_ms_register_kernel(starpu_mpi_ms_func_symbol_t *symbol,
                                  const char *name);
void (*starpu_mpi_ms_get_kernel(starpu_mpi_ms_func_symbol_t symbol))(void **,
                                                                     void *);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

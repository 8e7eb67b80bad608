/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUBLAS_H
#define ORR_STARPU_CUBLAS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Kernels do not run, so there is nothing to prepare. */
void starpu_cublas_init(void);
void starpu_cublas_set_stream(void);
void starpu_cublas_shutdown(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SYCLBLAS_H
#define ORR_STARPU_SYCLBLAS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_syclblas_init(void);
void starpu_syclblas_shutdown(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

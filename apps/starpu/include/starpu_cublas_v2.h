/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUBLAS_V2_H
#define ORR_STARPU_CUBLAS_V2_H

#include <starpu_config.h>

#if defined STARPU_USE_CUDA && defined __has_include
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#define STARPU_CUBLAS_V2_HEADERS 1
#endif
#endif
#ifndef STARPU_CUBLAS_V2_HEADERS
typedef struct cublasContext *cublasHandle_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

cublasHandle_t starpu_cublas_get_local_handle(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

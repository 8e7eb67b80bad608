/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUBLASLT_H
#define ORR_STARPU_CUBLASLT_H

#include <starpu_config.h>

#if defined STARPU_USE_CUDA && defined __has_include
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define STARPU_CUBLASLT_HEADERS 1
#endif
#endif
#ifndef STARPU_CUBLASLT_HEADERS
typedef struct cublasLtContext *cublasLtHandle_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_cublasLt_init(void);
void starpu_cublasLt_shutdown(void);
cublasLtHandle_t starpu_cublasLt_get_local_handle(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUSPARSE_H
#define ORR_STARPU_CUSPARSE_H

#include <starpu_config.h>

#if defined STARPU_USE_CUDA && defined __has_include
#if __has_include(<cusparse.h>)
#include <cusparse.h>
#define STARPU_CUSPARSE_HEADERS 1
#endif
#endif
#ifndef STARPU_CUSPARSE_HEADERS
typedef struct cusparseContext *cusparseHandle_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_cusparse_init(void);
void starpu_cusparse_shutdown(void);
cusparseHandle_t starpu_cusparse_get_local_handle(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_CUSOLVER_H
#define ORR_STARPU_CUSOLVER_H

#include <starpu_config.h>

#if defined STARPU_USE_CUDA && defined __has_include
#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#define STARPU_CUSOLVER_HEADERS 1
#endif
#endif
#ifndef STARPU_CUSOLVER_HEADERS
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct cusolverRfCommon *cusolverRfHandle_t;
typedef int cusolverStatus_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_cusolver_init(void);
void starpu_cusolver_shutdown(void);
cusolverDnHandle_t starpu_cusolverDn_get_local_handle(void);
cusolverSpHandle_t starpu_cusolverSp_get_local_handle(void);
cusolverRfHandle_t starpu_cusolverRf_get_local_handle(void);

void starpu_cusolver_report_error(const char *function, const char *file,
                                  int line, cusolverStatus_t status);
#define STARPU_CUSOLVER_REPORT_ERROR(status)                                   \
    starpu_cusolver_report_error(__func__, __FILE__, __LINE__, (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

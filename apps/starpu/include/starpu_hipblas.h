/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HIPBLAS_H
#define ORR_STARPU_HIPBLAS_H

#include <starpu_config.h>

#if defined STARPU_USE_HIPBLAS && defined __has_include
#if __has_include(<hipblas/hipblas.h>)
#include <hipblas/hipblas.h>
#define STARPU_HIPBLAS_HEADERS 1
#endif
#endif
#ifndef STARPU_HIPBLAS_HEADERS
typedef void *hipblasHandle_t;
typedef int hipblasStatus_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_hipblas_init(void);
void starpu_hipblas_set_stream(void);
void starpu_hipblas_shutdown(void);
hipblasHandle_t starpu_hipblas_get_local_handle(void);

void starpu_hipblas_report_error(const char *function, const char *file,
                                 int line, int error);
void starpu_hipblas_report_status(const char *function, const char *file,
                                  int line, hipblasStatus_t status);
#define STARPU_HIPBLAS_REPORT_ERROR(error)                                     \
    starpu_hipblas_report_error(__func__, __FILE__, __LINE__, (error))
#define STARPU_HIPBLAS_REPORT_STATUS(status)                                   \
    starpu_hipblas_report_status(__func__, __FILE__, __LINE__, (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

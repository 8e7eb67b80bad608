/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_HIPSOLVER_H
#define ORR_STARPU_HIPSOLVER_H

#include <starpu_config.h>

#if defined STARPU_HAVE_LIBHIPSOLVER && defined __has_include
#if __has_include(<hipsolver/hipsolver.h>)
#include <hipsolver/hipsolver.h>
#define STARPU_HIPSOLVER_HEADERS 1
#endif
#endif
#ifndef STARPU_HIPSOLVER_HEADERS
typedef void *hipsolverDnHandle_t;
typedef void *hipsolverSpHandle_t;
typedef void *hipsolverRfHandle_t;
typedef int hipsolverStatus_t;
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_hipsolver_init(void);
void starpu_hipsolver_shutdown(void);
hipsolverDnHandle_t starpu_hipsolverDn_get_local_handle(void);
hipsolverSpHandle_t starpu_hipsolverSp_get_local_handle(void);
hipsolverRfHandle_t starpu_hipsolverRf_get_local_handle(void);

void starpu_hipsolver_report_error(const char *function, const char *file,
                                   int line, int error);
void starpu_hipsolver_report_status(const char *function, const char *file,
                                    int line, hipsolverStatus_t status);
#define STARPU_HIPSOLVER_REPORT_ERROR(error)                                   \
    starpu_hipsolver_report_error(__func__, __FILE__, __LINE__, (error))
#define STARPU_HIPSOLVER_REPORT_STATUS(status)                                 \
    starpu_hipsolver_report_status(__func__, __FILE__, __LINE__, (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

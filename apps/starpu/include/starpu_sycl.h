/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef ORR_STARPU_SYCL_H
#define ORR_STARPU_SYCL_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

void starpu_sycl_set_device(int device);
void starpu_syclblas_report_error(const char *function, const char *file,
                                  int line, int status);
#define STARPU_SYCLBLAS_REPORT_ERROR(status)                                   \
    starpu_syclblas_report_error(__func__, __FILE__, __LINE__, (status))

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

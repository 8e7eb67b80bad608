/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CUDA, HIP, SYCL and their libraries. Kernels do not run, so there is nothing
 * to prepare, and handles are NULL. */
#include <starpu_cublas.h>
#include <starpu_cublasLt.h>
#include <starpu_cublas_v2.h>
#include <starpu_cuda.h>
#include <starpu_cusolver.h>
#include <starpu_cusparse.h>
#include <starpu_hip.h>
#include <starpu_hipblas.h>
#include <starpu_hipsolver.h>
#include <starpu_syclblas.h>

#include "apps/starpu/base/error.h"

#define NOTHING(name)                                                          \
    void name(void)                                                            \
    {                                                                          \
    }
#define NO_HANDLE(type, name)                                                  \
    type name(void)                                                            \
    {                                                                          \
        return NULL;                                                           \
    }

NOTHING(starpu_cublas_init)
NOTHING(starpu_cublas_set_stream)
NOTHING(starpu_cublas_shutdown)
NOTHING(starpu_cublasLt_init)
NOTHING(starpu_cublasLt_shutdown)
NOTHING(starpu_cusolver_init)
NOTHING(starpu_cusolver_shutdown)
NOTHING(starpu_cusparse_init)
NOTHING(starpu_cusparse_shutdown)
NOTHING(starpu_hipblas_init)
NOTHING(starpu_hipblas_set_stream)
NOTHING(starpu_hipblas_shutdown)
NOTHING(starpu_hipsolver_init)
NOTHING(starpu_hipsolver_shutdown)
NOTHING(starpu_syclblas_init)
NOTHING(starpu_syclblas_shutdown)

NO_HANDLE(cudaStream_t, starpu_cuda_get_local_stream)
NO_HANDLE(cublasHandle_t, starpu_cublas_get_local_handle)
NO_HANDLE(cublasLtHandle_t, starpu_cublasLt_get_local_handle)
NO_HANDLE(cusparseHandle_t, starpu_cusparse_get_local_handle)
NO_HANDLE(cusolverDnHandle_t, starpu_cusolverDn_get_local_handle)
NO_HANDLE(cusolverSpHandle_t, starpu_cusolverSp_get_local_handle)
NO_HANDLE(cusolverRfHandle_t, starpu_cusolverRf_get_local_handle)
NO_HANDLE(hipStream_t, starpu_hip_get_local_stream)
NO_HANDLE(hipblasHandle_t, starpu_hipblas_get_local_handle)
NO_HANDLE(hipsolverDnHandle_t, starpu_hipsolverDn_get_local_handle)
NO_HANDLE(hipsolverSpHandle_t, starpu_hipsolverSp_get_local_handle)
NO_HANDLE(hipsolverRfHandle_t, starpu_hipsolverRf_get_local_handle)

void starpu_cuda_set_device(int device)
{
    (void)device;
}

void starpu_hip_set_device(int device)
{
    (void)device;
}

G_NORETURN static void fail_at(const char *library, const char *function,
                               const char *file, int line, int status)
{
    sp_fail(function, "%s:%d: %s reports error %d", file, line, library,
            status);
}

void starpu_cuda_report_error(const char *function, const char *file, int line,
                              cudaError_t status)
{
    fail_at("CUDA", function, file, line, (int)status);
}

void starpu_cublas_report_error(const char *function, const char *file,
                                int line, int status)
{
    fail_at("cuBLAS", function, file, line, status);
}

void starpu_cusolver_report_error(const char *function, const char *file,
                                  int line, cusolverStatus_t status)
{
    fail_at("cuSOLVER", function, file, line, (int)status);
}

void starpu_hip_report_error(const char *function, const char *file, int line,
                             hipError_t error)
{
    fail_at("HIP", function, file, line, (int)error);
}
